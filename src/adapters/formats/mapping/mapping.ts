import type { Gauge, RainPeriod } from '#domain/uploads/upload.js';
import type { TopicPattern } from './topic-pattern.js';

/**
 * The validated content of a mapping file. It consists of sources, which describe messages of one kind each. If a source names a
 * preset (ready-made settings for common software), the settings of the preset have been added to the source.
 */
export interface Mapping {
  readonly sources: readonly SourceMapping[];
}

export const PAYLOADS = ['json', 'form', 'value'] as const;
export type PayloadKind = (typeof PAYLOADS)[number];

/**
 * How messages of one kind are read, from an entry of the mapping file. Paths are names joined with points: `BME280.Temperature`,
 * `list.0.value`.
 */
export interface SourceMapping {
  /** The topic pattern as written in the mapping file. For JSON over HTTP, which has no topic: `name` in the mapping file. */
  readonly name: string;
  /** The topics of the messages. Undefined for messages that are JSON over HTTP. */
  readonly topic: TopicPattern | undefined;
  readonly payload: PayloadKind;
  /**
   * Only used if `payload` is `value`, which means that a message is a single number without a name. This is the name by which
   * `fields` refers to the number. If it is a capture such as `+name`, the captured part of the topic is the name.
   */
  readonly value: string;
  /** Undefined means the time of receipt. */
  readonly time: TimeMapping | undefined;
  /**
   * The station of the messages. Undefined for messages over HTTP, because the upload key of the request determines the station.
   */
  readonly station: StationMapping | undefined;
  /** The fields in order of priority: a variable gets the value of the first of its fields that has a value. */
  readonly fields: readonly MappedField[];
  /** Texts for an absent value. Numbers are compared as numbers. */
  readonly missing: readonly string[];
  /** Paths that are known, and whose values are not stored. */
  readonly ignored: readonly string[];
  /** Path of the seconds since the start of the device. */
  readonly runtime: string | undefined;
}

export interface TimeMapping {
  readonly path: string;
  /** `unix`, `unix-ms`, `iso` with Z or an offset, or a pattern such as `YYYY-MM-DD HH:mm:ss` (time-pattern.ts). */
  readonly format: string;
  /** Time zone of a pattern. */
  readonly zone: string;
  /** Whether a message without a readable time gets the time of receipt. Otherwise the message is refused. */
  readonly isOptional: boolean;
  /**
   * Length in seconds of the interval that begins at the sent time. The time is moved to the end of the interval. 0 means that
   * the sent time is already the end of an interval.
   */
  readonly interval: number;
}

export type StationMapping =
  | { readonly id: string }
  | {
      /**
       * Says how the sender of a message is identified: names of captures, which are parts of the topic (`+mac`), and paths in
       * the message. Their texts are joined with `/`. `table` has the station for the resulting text.
       */
      readonly from: readonly string[];
      /** Ids of stations by the text that identifies the sender. Messages of senders that are not in the table are ignored. */
      readonly table: ReadonlyMap<string, string>;
    };

export type MappedField = ReadingMapping | RainMapping;

export interface ReadingMapping {
  readonly path: string;
  readonly variable: string;
  /** Undefined means the stored unit of the variable. */
  readonly unit: string | UnitByText | undefined;
  /** The value in the unit is the sent value × `scale` + `offset`. */
  readonly scale: number;
  readonly offset: number;
  /** Whether the value is a counter, whose increase is stored. */
  readonly isCounter: boolean;
  /** The station to which the value of the field belongs. Undefined means the station that is known for the whole message. */
  readonly station: string | undefined;
}

/** A unit that the message itself names. */
export interface UnitByText {
  readonly path: string;
  /** Units by the text at the path. */
  readonly units: ReadonlyMap<string, string>;
}

/** A rain counter. Its increases are stored as precipitation. */
export interface RainMapping {
  readonly path: string;
  readonly rain: RainPeriod;
  readonly gauge: Gauge;
  /** Millimeters of rain for one unit of the counter. */
  readonly millimeters: number;
}
