import { createHash } from 'node:crypto';
import { MILLISECONDS } from '#domain/time.js';
import type { RainCounter, Reading } from '#domain/uploads/upload.js';
import { variableNamed } from '#domain/weather/variables.js';
import type { LocalTimes } from '../tables/local-zone.js';
import { type MappedRecord, mapRecord, mappedSenderOf } from './map-record.js';
import { type MessageTimes, messageTimes } from './mapping-times.js';
import type { Mapping, SourceMapping } from './mapping.js';
import { readPayload, payloadRecords } from './payload.js';
import { matchTopic } from './topic-pattern.js';

/** A topic filter to subscribe to. */
export interface Subscription {
  readonly filter: string;
  /**
   * 1 for sources whose messages have a time, so that the broker keeps them while the service is away. Otherwise 0, because
   * a message that the broker has kept would get the time at which it arrives at last.
   */
  readonly qos: 0 | 1;
}

/** Readings of one record of a message, in the form in which they are recorded. */
export interface MessageReadings {
  /** Identifies the source of the counters, the same for the same device: topic pattern, station and sender. */
  readonly source: string;
  /** There is no upload key. */
  readonly key: null;
  /** Whole milliseconds since 1970-01-01T00:00:00Z. */
  readonly time: number;
  readonly isReceiveTime: boolean;
  /** Whether the mapping has moved `time` to the end of an interval. */
  readonly isEnd?: boolean;
  /** Readings by the id of their station. */
  readonly stations: ReadonlyMap<string, readonly Reading[]>;
  readonly rain?: { readonly station: string; readonly counters: readonly RainCounter[] };
  /** Seconds since the device has started. */
  readonly runtime?: number;
}

/** What a source makes of a record of a message. */
export type MessageResult =
  | {
      readonly kind: 'readings';
      readonly source: string;
      readonly readings: MessageReadings;
      /** Paths of numbers and texts without a mapping. */
      readonly unmapped: readonly string[];
      /** Values that could not be read; the others are in `readings`. */
      readonly faults: readonly string[];
    }
  /** Nothing in it is mapped. */
  | {
      readonly kind: 'nothing';
      readonly source: string;
      readonly unmapped: readonly string[];
      readonly faults: readonly string[];
    }
  /** The sender is not in the table of stations. */
  | { readonly kind: 'unknown sender'; readonly source: string; readonly sender: string }
  /** Payload or time cannot be read. */
  | { readonly kind: 'unreadable'; readonly source: string; readonly fault: string };

/** Applies a mapping to messages of a broker, and to JSON documents that arrive otherwise. */
export class Mapper {
  readonly #sources: readonly { readonly source: SourceMapping; readonly format: MessageTimes | undefined }[];

  constructor(mapping: Mapping, calendar: LocalTimes) {
    this.#sources = mapping.sources.map((source) => ({
      source,
      format: source.time && messageTimes(source.time, calendar, hasDays(source)),
    }));
  }

  /** The names of the sources of JSON over HTTP. */
  get documents(): ReadonlySet<string> {
    return new Set(this.#sources.flatMap(({ source }) => (source.topic === undefined ? [source.name] : [])));
  }

  /** The topic filters of all sources, each once. */
  get subscriptions(): readonly Subscription[] {
    const filters = new Map<string, 0 | 1>();
    for (const { source } of this.#sources) {
      if (source.topic === undefined) continue;
      const qos = source.time === undefined || source.time.isOptional ? 0 : 1;
      filters.set(source.topic.filter, qos === 1 || filters.get(source.topic.filter) === 1 ? 1 : 0);
    }
    return [...filters].map(([filter, qos]) => ({ filter, qos }));
  }

  /**
   * Maps a message of a broker by all sources with a matching topic.
   *
   * @param receivedAt milliseconds since 1970-01-01T00:00:00Z
   * @returns a result for each source and record; none where no source has the topic
   */
  message(topic: string, payload: Uint8Array, receivedAt: number): MessageResult[] {
    return this.#sources.flatMap(({ source, format }) => {
      const captures = source.topic && matchTopic(source.topic, topic);
      if (captures === undefined) return [];
      const records = readPayload(source.payload, payload, captures.get(source.value) ?? source.value);
      if (typeof records === 'string') return [{ kind: 'unreadable', source: source.name, fault: records }];
      return records.map((record) => this.#record(source, format, captures, record, receivedAt));
    });
  }

  /**
   * Maps a JSON document by the source with this name: the content of a request over HTTP, whose sender is known already.
   *
   * @param document parsed JSON: an object, or a list of objects
   * @returns for each record what is mapped, or the reason why it cannot be read; one reason for a document that is no
   *   object; undefined where no source has the name
   */
  document(
    name: string,
    document: unknown,
    receivedAt: number,
  ): readonly (MappedRecord | string)[] | undefined {
    const found = this.#sources.find(({ source }) => source.topic === undefined && source.name === name);
    if (found === undefined) return undefined;
    const records = payloadRecords(document);
    if (typeof records === 'string') return [records];
    return records.map((record) => mapRecord(found.source, found.format, record, receivedAt));
  }

  #record(
    source: SourceMapping,
    format: MessageTimes | undefined,
    captures: ReadonlyMap<string, string>,
    record: unknown,
    receivedAt: number,
  ): MessageResult {
    const { name, station } = source;
    let [id, sender] = ['', ''];
    if (station !== undefined && 'id' in station) ({ id } = station);
    else if (station !== undefined) {
      sender = mappedSenderOf(station.from, captures, record) ?? '';
      id = station.table.get(sender) ?? '';
    }
    if (id === '') return { kind: 'unknown sender', source: name, sender };
    const mapped = mapRecord(source, format, record, receivedAt);
    if (typeof mapped === 'string') return { kind: 'unreadable', source: name, fault: mapped };
    const { readings, counters, runtime, faults } = mapped;
    const unmapped = mapped.fields.map((field) => field.name);
    if (readings.size === 0 && counters.length === 0)
      return { kind: 'nothing', source: name, unmapped, faults };
    return {
      kind: 'readings',
      source: name,
      unmapped,
      faults,
      readings: {
        source: sourceId([`mqtt:${name}`, id, sender, ...counterId(source, mapped, captures)]),
        key: null,
        time: mapped.time ?? wholeSecond(receivedAt),
        isReceiveTime: mapped.time === undefined,
        ...(format?.atIntervalEnd === true && { isEnd: true }),
        stations: new Map([...readings].map(([other, list]) => [other ?? id, list])),
        ...(counters.length > 0 && { rain: { station: id, counters } }),
        ...(runtime !== undefined && { runtime }),
      },
    };
  }
}

function hasDays({ fields }: SourceMapping): boolean {
  return fields.some((field) => 'variable' in field && variableNamed(field.variable)?.period === 'day');
}

/** Longest id of a source. */
const MAX_SOURCE_ID = 200;

/**
 * Counters that arrive on topics of their own within a second must not share a state with each other, and messages without
 * counters must not have one: of a source only messages with later times count.
 */
function counterId(
  { payload, value }: SourceMapping,
  { counters, readings }: MappedRecord,
  captures: ReadonlyMap<string, string>,
): string[] {
  const counts = counters.length > 0 || [...readings.values()].flat().some(({ counter }) => counter === true);
  if (!counts) return ['without counters'];
  return payload === 'value' ? [captures.get(value) ?? value] : [];
}

function sourceId(parts: readonly string[]): string {
  const text = parts.filter((part) => part !== '').join(' ');
  if (text.length <= MAX_SOURCE_ID) return text;
  return `mqtt:${createHash('sha256').update(text).digest('base64url')}`;
}

/** Values that arrive in messages of their own within a second become one row. */
function wholeSecond(time: number): number {
  return Math.floor(time / MILLISECONDS.second) * MILLISECONDS.second;
}
