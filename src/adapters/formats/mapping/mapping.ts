import type { Gauge, RainPeriod } from '#domain/uploads/upload.js';
import type { TopicPattern } from './topic-pattern.js';

/** The sources of a mapping file, checked and with their presets applied. */
export interface Mapping {
  readonly sources: readonly SourceMapping[];
}

export const PAYLOADS = ['json', 'form', 'value'] as const;
export type PayloadKind = (typeof PAYLOADS)[number];

/** How the messages of a source are read. Paths are names joined with points: `BME280.Temperature`, `list.0.value`. */
export interface SourceMapping {
  /** The topic pattern as written, or the name of a source of JSON over HTTP. */
  readonly name: string;
  /** Undefined for a source that does not come from a broker. */
  readonly topic: TopicPattern | undefined;
  readonly payload: PayloadKind;
  /** For the payload `value`: the name that the value gets, or a capture of the topic (`+name`) that has the name. */
  readonly value: string;
  /** Undefined: the time of receipt. */
  readonly time: TimeMapping | undefined;
  /** Undefined for a source over HTTP, where the upload key has the station. */
  readonly station: StationMapping | undefined;
  /** In order of priority: the first field of a variable that has a value gives it. */
  readonly fields: readonly MappedField[];
  /** Texts that mean: no value. Numbers are compared as numbers. */
  readonly missing: readonly string[];
  /** Paths that are known and not stored. */
  readonly ignored: readonly string[];
  /** Path of the seconds since the device has started. */
  readonly runtime: string | undefined;
}

export interface TimeMapping {
  readonly path: string;
  /** `unix`, `unix-ms`, `iso` with Z or an offset, or a pattern as in `fileTimes`. */
  readonly format: string;
  /** Time zone of a pattern. */
  readonly zone: string;
  /** Whether a message without a time that can be read gets the time of receipt. Otherwise it is refused. */
  readonly isOptional: boolean;
  /** For times at the beginning of an interval: its seconds. They are moved to its end. Otherwise 0. */
  readonly interval: number;
}

export type StationMapping =
  | { readonly id: string }
  | {
      /** Captures (`+mac`) and paths. Their texts, joined with `/`, are looked up in the table. */
      readonly from: readonly string[];
      /** Ids of stations. Senders that are not in the table are ignored. */
      readonly table: ReadonlyMap<string, string>;
    };

export type MappedField = ReadingMapping | RainMapping;

export interface ReadingMapping {
  readonly path: string;
  readonly variable: string;
  /** Undefined: the stored unit. */
  readonly unit: string | UnitByText | undefined;
  /** value = sent × scale + offset, in the unit. */
  readonly scale: number;
  readonly offset: number;
  /** Whether the value only rises, so that its increase is stored. */
  readonly isCounter: boolean;
  /** Another station than that of the source. */
  readonly station: string | undefined;
}

/** The message says in which unit a value is. */
export interface UnitByText {
  readonly path: string;
  /** Units by the text at the path. */
  readonly units: ReadonlyMap<string, string>;
}

/** A rain counter. Only its changes become precipitation. */
export interface RainMapping {
  readonly path: string;
  readonly rain: RainPeriod;
  readonly gauge: Gauge;
  /** Millimeters of one unit of the counter. */
  readonly millimeters: number;
}
