import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { backOff } from '#application/back-off.js';
import { pauseFor } from '#application/pause.js';
import type { Clock } from '#application/ports/clock.js';
import type { RecordReadings } from '#application/uploads/record-readings.js';
import type { ReadingsOutcome } from '#application/uploads/source-readings.js';
import { type DomainError, isDomainError } from '#domain/domain-error.js';
import { MILLISECONDS } from '#domain/time.js';
import type { Mapper, MessageReadings, MessageResult } from '#adapters/formats/mapping/mapper.js';
import type { BrokerMessage } from './broker-connection.js';
import { type BrokerLog, BrokerNotices } from './notices.js';

/** Records readings. Resolves after the commit. */
export type RecordMessage = RecordReadings['execute'];

export interface DeliveryParts {
  readonly mapper: Mapper;
  readonly record: RecordMessage;
  readonly clock: Clock;
  readonly log: BrokerLog;
  /** Whether the service itself publishes the messages of a topic. Such messages are not stored. Default: it publishes none. */
  readonly isOwnTopic?: (topic: string) => boolean;
  /** Waits for some milliseconds. Ends early, without an error, if the signal aborts. */
  readonly wait?: typeof pauseFor;
}

/** Maximum time between two attempts, in milliseconds. */
export const MAX_RETRY_DELAY = MILLISECONDS.minute;
/**
 * Number of milliseconds within which an equal message on the same topic counts as a repetition. Radio sensors send each message
 * several times.
 */
const REPETITION = 2000;
/** Maximum number of topics whose last message is remembered. */
const MAX_TOPICS = 1000;
/** Maximum number of attempts to store a message if the store works but refuses the message. */
const MAX_ATTEMPTS = 5;
/**
 * Maximum number of field names that are logged because the mapping file assigns no variable to them. It is the limit for all
 * messages together.
 */
const MAX_UNMAPPED = 1000;
/** Maximum number of faults of one message that are logged. */
const MAX_FAULTS = 10;

const FAULTS = { most: 100, period: MILLISECONDS.hour };
/** Limits for notices that are not faults. Each of these notices is logged once. */
const HINTS = { most: 200, period: Infinity };

/** Stores the messages of the broker. */
export class BrokerDeliveries {
  readonly #parts: DeliveryParts;
  readonly #faults: BrokerNotices;
  readonly #hints: BrokerNotices;
  readonly #unmapped = new Set<string>();
  readonly #last = new LRUCache<string, { readonly digest: string; readonly at: number }>({
    max: MAX_TOPICS,
  });
  #obstacle: string | undefined;

  constructor(parts: DeliveryParts) {
    const { log, clock } = parts;
    this.#parts = parts;
    this.#faults = new BrokerNotices(
      (fields, text) => log.warn(fields, text),
      () => clock.uptime(),
      FAULTS,
    );
    this.#hints = new BrokerNotices(
      (fields, text) => log.info(fields, text),
      () => clock.uptime(),
      HINTS,
    );
  }

  /** The reason why messages wait; undefined if no message waits. */
  get obstacle(): string | undefined {
    return this.#obstacle;
  }

  /**
   * Stores a message. Waits while the store is not available.
   *
   * @param givenUp aborts when no further attempt must be made
   * @returns whether the message can be acknowledged, because it was stored or is dropped. False if the broker must send it again
   */
  async deliver({ topic, payload, isRetained }: BrokerMessage, givenUp: AbortSignal): Promise<boolean> {
    if (isRetained || this.#parts.isOwnTopic?.(topic) === true) return true;
    const results = this.#map(topic, payload);
    if (results.length === 0) this.#hints.add('messages of a topic without a source are ignored', { topic });
    const isRepetition = this.#isRepetition(topic, payload);
    for (const result of results) {
      this.#report(result, topic);
      if (result.kind !== 'readings' || (isRepetition && result.readings.isReceiveTime)) continue;
      if (!(await this.#record(result.readings, result.source, givenUp))) return false;
    }
    return true;
  }

  #map(topic: string, payload: Uint8Array): readonly MessageResult[] {
    const { mapper, clock } = this.#parts;
    try {
      return mapper.message(topic, payload, clock.now());
    } catch (error) {
      // An error here is a fault of this program. It must not stop the later messages.
      return [{ kind: 'unreadable', source: topic, fault: textOf(error) }];
    }
  }

  /**
   * Whether the last message of the topic had the same payload and arrived less than `REPETITION` ago. Such a repeated message is
   * not stored if it has no time: its row would get the time of receipt, and would be a second row with the same values.
   */
  #isRepetition(topic: string, payload: Uint8Array): boolean {
    const at = this.#parts.clock.uptime();
    const digest = createHash('sha256').update(payload).digest('base64');
    const last = this.#last.get(topic);
    if (last !== undefined && last.digest === digest && at - last.at < REPETITION) return true;
    this.#last.set(topic, { digest, at });
    return false;
  }

  async #record(readings: MessageReadings, source: string, givenUp: AbortSignal): Promise<boolean> {
    for (let failures = 1; !givenUp.aborted; failures += 1) {
      try {
        const outcome = await this.#parts.record(readings);
        this.#obstacle = undefined;
        this.#reportOutcome(outcome, source);
        return true;
      } catch (error) {
        if (!isTemporary(error) || (error.callOnly && failures >= MAX_ATTEMPTS)) {
          this.#obstacle = undefined;
          const reason = textOf(error);
          this.#faults.add('a message of the broker could not be stored and is lost', { source, reason });
          return true;
        }
        this.#obstacle = `Messages wait: ${error.message}`;
      }
      const { wait = pauseFor } = this.#parts;
      await wait(backOff(failures, MAX_RETRY_DELAY), givenUp);
    }
    this.#obstacle = undefined;
    return false;
  }

  #report(result: MessageResult, topic: string): void {
    const { source } = result;
    switch (result.kind) {
      case 'unknown sender': {
        const about = { source, sender: result.sender };
        this.#hints.add('messages of a sender that is not in the table of stations are ignored', about);
        return;
      }
      case 'unreadable': {
        const detail = { topic, fault: result.fault };
        this.#faults.add('a message of the broker cannot be read', { source }, detail);
        return;
      }
      default:
        for (const fault of result.faults.slice(0, MAX_FAULTS)) {
          const field = fault.slice(0, fault.indexOf(': '));
          this.#faults.add('a value cannot be read', { source, field }, { topic, fault });
        }
        this.#reportUnmapped(result.unmapped, source);
    }
  }

  #reportUnmapped(paths: readonly string[], source: string): void {
    const fresh = paths.filter((path) => !this.#unmapped.has(`${source} ${path}`));
    if (fresh.length === 0 || this.#unmapped.size >= MAX_UNMAPPED) return;
    for (const path of fresh) this.#unmapped.add(`${source} ${path}`);
    this.#hints.add('fields without a mapping are ignored', { source, fields: fresh.join(', ') });
  }

  #reportOutcome(outcome: ReadingsOutcome, source: string): void {
    if (outcome.kind === 'refused') {
      this.#faults.add('a message of the broker is refused', { source }, { reason: outcome.detail });
      return;
    }
    for (const other of outcome.otherRain ?? [])
      this.#hints.add('the rain of a station is stored from several senders, so it may be counted twice', {
        source,
        other,
      });
    for (const station of outcome.unknown)
      this.#faults.add('the station does not exist, so its values are lost', { source, station });
    for (const report of outcome.reports.slice(0, MAX_FAULTS))
      this.#faults.add('a counter was not stored', { source, report });
  }
}

/** Whether another attempt may succeed without a change of the message. */
function isTemporary(error: unknown): error is DomainError {
  return isDomainError(error, 'STORE_UNAVAILABLE', 'SERVICE_UNAVAILABLE', 'RATE_LIMITED');
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
