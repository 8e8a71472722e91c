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
   * The quality of service in MQTT. It is 1 for messages that must have a time: the broker then keeps messages while the service
   * is not connected. It is 0 for other messages, because a kept message would get the time at which it finally arrives.
   */
  readonly qos: 0 | 1;
}

/** Readings of one record of a message, ready to be recorded. */
export interface MessageReadings {
  /**
   * Identifies a sequence of messages in which each counter is compared with its value in the previous message. Consists of the
   * topic pattern, the station, the sender, and for some messages the text of `counterId`.
   */
  readonly source: string;
  /** Null, because messages of a broker have no upload key. */
  readonly key: null;
  /** Whole milliseconds since 1970-01-01T00:00:00Z. */
  readonly time: number;
  readonly isReceiveTime: boolean;
  /** Whether the mapping has moved `time` to the end of an interval. */
  readonly isEnd?: boolean;
  /** Readings by the id of their station. */
  readonly stations: ReadonlyMap<string, readonly Reading[]>;
  readonly rain?: { readonly station: string; readonly counters: readonly RainCounter[] };
  /** Seconds since the start of the device. */
  readonly runtime?: number;
}

/** The result of mapping a record of a message. */
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
  /** The record has no mapped value. */
  | {
      readonly kind: 'nothing';
      readonly source: string;
      readonly unmapped: readonly string[];
      readonly faults: readonly string[];
    }
  /** The sender is not in the table of stations. */
  | { readonly kind: 'unknown sender'; readonly source: string; readonly sender: string }
  /** The payload or the time cannot be read. */
  | { readonly kind: 'unreadable'; readonly source: string; readonly fault: string };

/**
 * Reads messages of a broker, and JSON documents from HTTP, by a mapping. The mapping says which variable and which station each
 * field of a message belongs to.
 */
export class Mapper {
  readonly #sources: readonly { readonly source: SourceMapping; readonly format: MessageTimes | undefined }[];

  constructor(mapping: Mapping, calendar: LocalTimes) {
    this.#sources = mapping.sources.map((source) => ({
      source,
      format: source.time && messageTimes(source.time, calendar, hasDays(source)),
    }));
  }

  /** The names of the entries of the mapping file that describe JSON documents sent over HTTP. */
  get documents(): ReadonlySet<string> {
    return new Set(this.#sources.flatMap(({ source }) => (source.topic === undefined ? [source.name] : [])));
  }

  /** The topic filters to subscribe to, from all entries of the mapping file. Each filter is listed once. */
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
   * Maps a message of a broker with every source whose topic pattern matches. A source is an entry of the mapping file that
   * describes messages of one kind.
   *
   * @param receivedAt milliseconds since 1970-01-01T00:00:00Z
   * @returns a result for each source and record; empty if no source matches the topic
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
   * Maps a JSON document with the source of this name. A source is an entry of the mapping file that describes messages of one
   * kind. The document is the content of a request over HTTP, whose sender is known.
   *
   * @param document parsed JSON: an object, or a list of objects
   * @returns for each record the mapped record, or the reason as text why the record cannot be read. If the document has no
   *   records, the result is one reason. If no source has the name, the result is undefined
   */
  document(
    name: string,
    document: unknown,
    receivedAt: number,
  ): readonly (MappedRecord | string)[] | undefined {
    const match = this.#sources.find(({ source }) => source.topic === undefined && source.name === name);
    if (match === undefined) return undefined;
    const records = payloadRecords(document);
    if (typeof records === 'string') return [records];
    return records.map((record) => mapRecord(match.source, match.format, record, receivedAt));
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

/** Largest length of `MessageReadings.source`, in characters. A longer text is replaced by its hash. */
const MAX_SOURCE_ID = 200;

/**
 * Returns the text that is added to the source id of a message (`MessageReadings.source`), as a list; empty if no text is added.
 *
 * The service uses the counters of a message only if the message is later than the previous message with the same source id. Two
 * kinds of messages therefore need a source id of their own:
 *
 * - Messages without counters: `without counters` is added. Suppose that such a message of 12:05 arrives before a message with
 *   counters of 12:04. With the same source id, the counters of 12:04 would not be used.
 * - Messages that are a single number (`payload` is `value`), if the number is a counter: the name of the number is added.
 *   Several such messages may have the same second. With the same source id, only the first of their counters would be used.
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

/** Rounds a time of receipt down to the second, so that values in separate messages within a second become one row. */
function wholeSecond(time: number): number {
  return Math.floor(time / MILLISECONDS.second) * MILLISECONDS.second;
}
