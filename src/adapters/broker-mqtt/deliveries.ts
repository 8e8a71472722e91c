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
import { type BrokerLog, BrokerNotices } from './notices.js';

export interface BrokerMessage {
  readonly topic: string;
  readonly payload: Uint8Array;
  /** Whether the broker has kept it for new subscribers. It may be of any age. */
  readonly isRetained: boolean;
}

/** Records readings. Resolves after the commit. */
export type RecordMessage = RecordReadings['execute'];

export interface DeliveryParts {
  readonly mapper: Mapper;
  readonly record: RecordMessage;
  readonly clock: Clock;
  readonly log: BrokerLog;
  /** Waits; ends early, without an error, when the signal fires. */
  readonly wait?: typeof pauseFor;
}

/** Longest time between two attempts, in milliseconds. */
export const MAX_DELAY = MILLISECONDS.minute;
/** Milliseconds within which the same message of a topic is a repetition: radio sensors send each message several times. */
const REPETITION = 2000;
/** Topics whose last message is remembered. */
const MAX_TOPICS = 1000;
/** Attempts after which a message is given up that the store refuses although it works. */
const MAX_ATTEMPTS = 5;
/** Fields without a mapping that are named, over all sources. */
const MAX_UNMAPPED = 1000;
/** Faults of one message that are named. */
const MAX_FAULTS = 10;

const FAULTS = { most: 100, period: MILLISECONDS.hour };
/** What is no fault is said once. */
const HINTS = { most: 200, period: Infinity };

/** Takes messages of the broker to the store. */
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

  /** Why messages wait; undefined where they do not. */
  get obstacle(): string | undefined {
    return this.#obstacle;
  }

  /**
   * Stores a message. Waits while the store is not available.
   *
   * @param givenUp fires when no other attempt is to be made
   * @returns whether the message is done with, stored or not, so that it can be acknowledged; false where it must come
   *   again
   */
  async deliver({ topic, payload, isRetained }: BrokerMessage, givenUp: AbortSignal): Promise<boolean> {
    if (isRetained) return true;
    const results = this.#map(topic, payload);
    if (results.length === 0)
      this.#hints.give('messages of a topic that no source has are ignored', { topic });
    const isRepetition = this.#isRepetition(topic, payload);
    for (const result of results) {
      this.#tell(result, topic);
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
      // A fault of the program. It must not stop the messages behind this one.
      return [{ kind: 'unreadable', source: topic, fault: textOf(error) }];
    }
  }

  /** Whether the topic had the same payload a moment ago. Without times of their own the two would be two rows. */
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
        this.#tellOutcome(outcome, source);
        return true;
      } catch (error) {
        if (!isTemporary(error) || (error.callOnly && failures >= MAX_ATTEMPTS)) {
          this.#obstacle = undefined;
          const reason = textOf(error);
          this.#faults.give('a message of the broker could not be stored and is lost', { source, reason });
          return true;
        }
        this.#obstacle = `Messages wait: ${error.message}`;
      }
      const { wait = pauseFor } = this.#parts;
      await wait(backOff(failures, MAX_DELAY), givenUp);
    }
    this.#obstacle = undefined;
    return false;
  }

  #tell(result: MessageResult, topic: string): void {
    const { source } = result;
    switch (result.kind) {
      case 'unknown sender': {
        const about = { source, sender: result.sender };
        this.#hints.give('messages of a sender that is not in the table of stations are ignored', about);
        return;
      }
      case 'unreadable': {
        const detail = { topic, fault: result.fault };
        this.#faults.give('a message of the broker cannot be read', { source }, detail);
        return;
      }
      default:
        for (const fault of result.faults.slice(0, MAX_FAULTS)) {
          const field = fault.slice(0, fault.indexOf(': '));
          this.#faults.give('a value cannot be read', { source, field }, { topic, fault });
        }
        this.#tellUnmapped(result.unmapped, source);
    }
  }

  #tellUnmapped(paths: readonly string[], source: string): void {
    const fresh = paths.filter((path) => !this.#unmapped.has(`${source} ${path}`));
    if (fresh.length === 0 || this.#unmapped.size >= MAX_UNMAPPED) return;
    for (const path of fresh) this.#unmapped.add(`${source} ${path}`);
    this.#hints.give('fields without a mapping are ignored', { source, fields: fresh.join(', ') });
  }

  #tellOutcome(outcome: ReadingsOutcome, source: string): void {
    if (outcome.kind === 'refused') {
      this.#faults.give('a message of the broker is refused', { source }, { reason: outcome.detail });
      return;
    }
    for (const other of outcome.otherRain ?? [])
      this.#hints.give('the rain of a station is stored from several senders, so it may be counted twice', {
        source,
        other,
      });
    for (const station of outcome.unknown)
      this.#faults.give('there is no such station, so its values are lost', { source, station });
    for (const report of outcome.reports.slice(0, MAX_FAULTS))
      this.#faults.give('a counter was not stored', { source, report });
  }
}

/** Whether another attempt may succeed without a change of the message. */
function isTemporary(error: unknown): error is DomainError {
  return isDomainError(error, 'STORE_UNAVAILABLE', 'SERVICE_UNAVAILABLE', 'RATE_LIMITED');
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
