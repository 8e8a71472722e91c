import type { AlarmTarget, StationAlarm } from '#domain/alarms/alarm.js';
import { MILLISECONDS } from '#domain/time.js';
import type { WaitingCounts } from '../hooks/delivery-metrics.js';
import type { FailingTarget } from '../hooks/failing-targets.js';
import { type DeliveryQueue, MAX_DELAY } from '../hooks/delivery-queue.js';
import { type Outbox, PATIENCE } from '../hooks/outbox.js';
import type { Dispatcher } from '../hooks/dispatcher.js';
import type { AlarmStore } from '../ports/alarm-store.js';
import type { Clock } from '../ports/clock.js';
import type { Message } from '../ports/delivery.js';
import type { StationDirectory } from '../stations/station-directory.js';
import type { AlarmCache, AlarmOfStation, KnownAlarms } from './alarm-cache.js';
import { alarmMessage } from './alarm-message.js';

/** Milliseconds for which a target counts as failing after its last message was given up. Nobody knows whether it works again. */
const FAILING_AFTER = MILLISECONDS.day;

/**
 * Sends the notices of the stored states. A notice stays in the store until its target has acknowledged it, so a notice may
 * arrive twice. Alarms with the same target share a lane.
 */
export class AlarmMessages {
  readonly #clock: Clock;
  readonly #dispatcher: Dispatcher;
  readonly #directory: StationDirectory;
  readonly #store: AlarmStore;
  readonly #book: AlarmCache;
  /** By the text of the target. */
  readonly #lanes = new Map<string, DeliveryQueue>();
  /** By the text of the target. A lane ends when nothing waits for it, also because its messages were given up. */
  readonly #failing = new Map<string, FailingTarget & { readonly until: number }>();
  #waiting: WaitingCounts = new Map();

  constructor(
    clock: Clock,
    dispatcher: Dispatcher,
    directory: StationDirectory,
    store: AlarmStore,
    book: AlarmCache,
  ) {
    this.#clock = clock;
    this.#dispatcher = dispatcher;
    this.#directory = directory;
    this.#store = store;
    this.#book = book;
  }

  /** Begins to send what waits. A lane without messages is closed. Targets beyond the number of lanes wait for one. */
  async send(known: KnownAlarms): Promise<void> {
    this.#noteFailures(known);
    const counts = new Map<string, number>();
    const waiting = new Map<string, { readonly name: string; readonly target: AlarmTarget }>();
    const obsolete: StationAlarm[] = [];
    for (const { alarm, of } of waitingOf(known)) {
      const { name, target } = alarm;
      // Its target was taken away.
      if (target === null) obsolete.push({ ...of, notice: null });
      else {
        waiting.set(textOf(target), { name, target });
        counts.set(name, (counts.get(name) ?? 0) + 1);
      }
    }
    this.#waiting = counts;
    if (obsolete.length > 0) await this.#store.put(obsolete);
    for (const [text, queue] of this.#lanes) if (!waiting.has(text)) await this.#shut(text, queue);
    for (const [text, { name, target }] of waiting) {
      const queue = this.#lanes.get(text);
      if (queue !== undefined) queue.wake();
      else if (this.#dispatcher.hasRoom)
        this.#lanes.set(text, this.#dispatcher.open(this.#outbox(`alarm ${name}`, target)));
    }
  }

  /** Ends the attempts. What was not acknowledged stays in the store. */
  async pause(): Promise<void> {
    for (const [text, queue] of this.#lanes) await this.#shut(text, queue);
    this.#failing.clear();
    this.#waiting = new Map();
  }

  /** The targets that fail, and those that have failed when their last message was given up, for a day. */
  get failing(): readonly FailingTarget[] {
    return [...this.#failing.values()];
  }

  /** Messages that wait for their targets, by name of the alarm. */
  get waiting(): WaitingCounts {
    return this.#waiting;
  }

  #noteFailures(known: KnownAlarms): void {
    const now = this.#clock.now();
    const names = new Map(known.list.map(({ name, target }) => [textOf(target), name]));
    for (const [text, { status }] of this.#lanes) {
      const { failedAt, failingSince, deliveredAt } = status;
      if (failedAt !== null) {
        const first = failingSince ?? failedAt;
        // Another run has not delivered the oldest notice either, and its failures are stored nowhere.
        const begin = deliveredAt === null ? Math.min(first, oldestFor(text, known)) : first;
        const since = this.#failing.get(text)?.since ?? begin;
        this.#failing.set(text, { name: names.get(text) ?? '', since, until: now + FAILING_AFTER });
      } else if (deliveredAt !== null) this.#failing.delete(text);
    }
    for (const [text, { until }] of this.#failing)
      if (until <= now || !names.has(text)) this.#failing.delete(text);
  }

  async #shut(text: string, queue: DeliveryQueue): Promise<void> {
    this.#lanes.delete(text);
    await this.#dispatcher.shut(queue);
  }

  #outbox(name: string, target: AlarmTarget): Outbox {
    const text = textOf(target);
    return {
      name,
      target,
      patience: PATIENCE,
      // Other alarms with this target wait too, and an alarm of yesterday is of no use.
      longestRetryAfter: MAX_DELAY,
      next: async () => {
        const own = waitingOf(await this.#book.current()).filter(
          ({ alarm }) => textOf(alarm.target) === text,
        );
        const { byNumber } = await this.#directory.current();
        for (const { alarm, of } of own) {
          const { notice, state } = of;
          const station = byNumber.get(of.station);
          if (notice !== null && station !== undefined)
            return alarmMessage({ ...notice, alarm, station, state });
        }
        return undefined;
      },
      done: (message) => this.#acknowledge(message),
    };
  }

  async #acknowledge({ id }: Message): Promise<void> {
    const { states } = await this.#book.current();
    const of = states.find(({ notice }) => notice?.id === id);
    // If the state has changed meanwhile, it has another notice.
    if (of !== undefined) await this.#store.put([{ ...of, notice: null }]);
  }
}

/** The states with a notice, oldest first. */
function waitingOf({ states, byId }: KnownAlarms): readonly AlarmOfStation[] {
  return states
    .flatMap((of) => {
      const alarm = of.notice === null ? undefined : byId.get(of.alarm);
      return alarm === undefined ? [] : { alarm, of };
    })
    .sort((a, b) => (a.of.notice?.madeAt ?? 0) - (b.of.notice?.madeAt ?? 0));
}

/** When the oldest notice for a target was made; Infinity if there is none. */
function oldestFor(text: string, known: KnownAlarms): number {
  return waitingOf(known).find(({ alarm }) => textOf(alarm.target) === text)?.of.notice?.madeAt ?? Infinity;
}

function textOf(target: AlarmTarget | null): string {
  return JSON.stringify(target);
}
