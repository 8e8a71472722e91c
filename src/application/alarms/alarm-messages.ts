import type { AlarmOfStation, StationAlarm } from '#domain/alarms/alarm.js';
import type { HookTarget } from '#domain/hooks/hook-target.js';
import { MILLISECONDS } from '#domain/time.js';
import type { WaitingCounts } from '../hooks/delivery-metrics.js';
import type { FailingTarget } from '../hooks/failing-targets.js';
import { type DeliveryQueue, MAX_ATTEMPT_DELAY } from '../hooks/delivery-queue.js';
import { type Outbox, GIVE_UP_AFTER } from '../hooks/outbox.js';
import type { Dispatcher } from '../hooks/dispatcher.js';
import type { AlarmStore } from '../ports/alarm-store.js';
import type { Clock } from '../ports/clock.js';
import type { StationDirectory } from '../stations/station-directory.js';
import type { AlarmCache, KnownAlarms } from './alarm-cache.js';
import type { AlarmFields } from './alarm-event.js';
import { alarmDigest, alarmMessage } from './alarm-message.js';
import type { PersonalMessages } from './personal-messages.js';
import { SendLimit } from './send-limit.js';
import { isForPeople, silenceOf } from './silence.js';

/**
 * Milliseconds for which a target counts as failing after its last message was given up. Without messages, the present state of
 * the target is unknown.
 */
const FAILING_AFTER = MILLISECONDS.day;

/**
 * Sends the notices of alarms to their targets. A notice is a message that an alarm was raised or cleared for a station. A notice
 * stays in the store until its target has acknowledged it, so a target may get the same notice twice. Alarms with the same target
 * share a queue.
 */
export class AlarmMessages {
  readonly #clock: Clock;
  readonly #dispatcher: Dispatcher;
  readonly #directory: StationDirectory;
  readonly #store: AlarmStore;
  readonly #cache: AlarmCache;
  readonly #personal: PersonalMessages;
  /** The queue of each target. The key is the target as JSON text. */
  readonly #queues = new Map<string, DeliveryQueue>();
  /**
   * The failing targets. The key is the target as JSON text. A queue without waiting messages is closed, but its target stays
   * here.
   */
  readonly #failing = new Map<string, FailingTarget & { readonly until: number }>();
  /** The limit of each target that people read. The key is the target as JSON text. */
  readonly #limits = new Map<string, SendLimit>();
  #waiting: WaitingCounts = new Map();

  constructor(
    clock: Clock,
    dispatcher: Dispatcher,
    directory: StationDirectory,
    store: AlarmStore,
    cache: AlarmCache,
    personal: PersonalMessages,
  ) {
    this.#clock = clock;
    this.#dispatcher = dispatcher;
    this.#directory = directory;
    this.#store = store;
    this.#cache = cache;
    this.#personal = personal;
  }

  /**
   * Starts the delivery of the notices (messages of alarms) that wait in the store, and closes queues without notices. While the
   * maximum number of queues is open, further targets wait.
   */
  async send(known: KnownAlarms): Promise<void> {
    this.#noteFailures(known);
    const counts = new Map<string, number>();
    const waiting = new Map<string, { readonly name: string; readonly target: HookTarget }>();
    const obsolete: StationAlarm[] = [];
    for (const { alarm, stationAlarm } of waitingOf(known)) {
      const { name, target } = alarm;
      // The alarm has no target any more, so its notice (the message that waits for delivery) is removed.
      if (target === null) obsolete.push({ ...stationAlarm, notice: null });
      else {
        waiting.set(textOf(target), { name, target });
        counts.set(name, (counts.get(name) ?? 0) + 1);
      }
    }
    this.#waiting = counts;
    if (obsolete.length > 0) await this.#store.put(obsolete);
    for (const [text, limit] of this.#limits)
      if (limit.isUnused(this.#clock.uptime())) this.#limits.delete(text);
    for (const [text, queue] of this.#queues) if (!waiting.has(text)) await this.#close(text, queue);
    for (const [text, { name, target }] of waiting) {
      const queue = this.#queues.get(text);
      if (queue !== undefined) queue.wake();
      else if (this.#dispatcher.canOpen)
        this.#queues.set(text, this.#dispatcher.open(this.#outbox(`alarm ${name}`, target)));
    }
  }

  /** Stops the delivery. Notices (messages of alarms) that were not acknowledged stay in the store. */
  async pause(): Promise<void> {
    for (const [text, queue] of this.#queues) await this.#close(text, queue);
    this.#failing.clear();
    this.#waiting = new Map();
  }

  /** The targets that fail now, and the targets whose last message was given up less than a day ago. */
  get failing(): readonly FailingTarget[] {
    return [...this.#failing.values()];
  }

  /** Number of messages that wait for their targets, by name of the alarm. */
  get waiting(): WaitingCounts {
    return this.#waiting;
  }

  #noteFailures(known: KnownAlarms): void {
    const now = this.#clock.now();
    const names = new Map(known.list.map(({ name, target }) => [textOf(target), name]));
    for (const [text, { status }] of this.#queues) {
      const { failedAt, failingSince, deliveredAt } = status;
      if (failedAt !== null) {
        const first = failingSince ?? failedAt;
        // Failures are not stored, so it is unknown whether the target already failed before this process started. If this
        // process has delivered nothing to the target, the failure is assumed to have begun when the oldest waiting message was
        // created.
        const begin = deliveredAt === null ? Math.min(first, oldestFor(text, known)) : first;
        const since = this.#failing.get(text)?.since ?? begin;
        this.#failing.set(text, { name: names.get(text) ?? '', since, until: now + FAILING_AFTER });
      } else if (deliveredAt !== null) this.#failing.delete(text);
    }
    for (const [text, { until }] of this.#failing)
      if (until <= now || !names.has(text)) this.#failing.delete(text);
  }

  async #close(text: string, queue: DeliveryQueue): Promise<void> {
    this.#queues.delete(text);
    await this.#dispatcher.close(queue);
  }

  #outbox(name: string, target: HookTarget): Outbox {
    const text = textOf(target);
    /** Ids of the notices in the message that `next` has returned last. */
    let sent: readonly string[] = [];
    return {
      name,
      target,
      giveUpAfter: GIVE_UP_AFTER,
      // The maximum delay that the target can request is short, because other alarms wait for the same target, and a late alarm
      // is of no use.
      maxRetryAfter: MAX_ATTEMPT_DELAY,
      next: async () => {
        const fields = await this.#waitingFor(target);
        const [first] = fields;
        const mode = isForPeople(target) ? this.#limitOf(text).next(this.#clock.uptime()) : 'one';
        if (first === undefined || mode === 'none') return undefined;
        const isDigest = mode === 'all' && fields.length > 1;
        sent = (isDigest ? fields : [first]).map(({ id }) => id);
        return isDigest ? alarmDigest(fields, this.#personal) : alarmMessage(first, this.#personal);
      },
      done: async () => {
        await this.#acknowledge(sent);
        if (isForPeople(target)) this.#limitOf(text).note(this.#clock.uptime());
      },
    };
  }

  /** The messages that may be sent to a target now, the oldest first. For people, the end of a silence comes before what waited for it. */
  async #waitingFor(target: HookTarget): Promise<readonly AlarmFields[]> {
    const text = textOf(target);
    const known = await this.#cache.current();
    const { byNumber } = await this.#directory.current();
    const fields = waitingOf(known).flatMap((waiting): AlarmFields[] => {
      const { alarm, stationAlarm } = waiting;
      const { notice, state } = stationAlarm;
      const station = byNumber.get(stationAlarm.station);
      if (notice === null || station === undefined || textOf(alarm.target) !== text) return [];
      if (silenceOf(waiting, known.raised.get(stationAlarm.station) ?? []) !== undefined) return [];
      return [{ ...notice, alarm, station, state }];
    });
    if (!isForPeople(target)) return fields;
    const order = ({ alarm }: AlarmFields) => (alarm.condition.kind === 'silent' ? 0 : 1);
    return fields.toSorted((a, b) => order(a) - order(b));
  }

  #limitOf(text: string): SendLimit {
    const limit = this.#limits.get(text) ?? new SendLimit();
    this.#limits.set(text, limit);
    return limit;
  }

  async #acknowledge(ids: readonly string[]): Promise<void> {
    const { states } = await this.#cache.current();
    // If the state of an alarm has changed in the meantime, it has a new notice (a message that waits for delivery) with another
    // id. The new notice stays.
    const acknowledged = states.filter(({ notice }) => notice !== null && ids.includes(notice.id));
    if (acknowledged.length > 0)
      await this.#store.put(acknowledged.map((stationAlarm) => ({ ...stationAlarm, notice: null })));
  }
}

/** Returns the stored states of alarms that have a notice (a message that waits for delivery), the oldest notice first. */
function waitingOf({ states, byId }: KnownAlarms): readonly AlarmOfStation[] {
  return states
    .flatMap((stationAlarm) => {
      const alarm = stationAlarm.notice === null ? undefined : byId.get(stationAlarm.alarm);
      return alarm === undefined ? [] : { alarm, stationAlarm };
    })
    .sort((a, b) => (a.stationAlarm.notice?.madeAt ?? 0) - (b.stationAlarm.notice?.madeAt ?? 0));
}

/** Creation time of the oldest notice (message of an alarm) that waits for a target; Infinity if there is none. */
function oldestFor(text: string, known: KnownAlarms): number {
  return (
    waitingOf(known).find(({ alarm }) => textOf(alarm.target) === text)?.stationAlarm.notice?.madeAt ??
    Infinity
  );
}

function textOf(target: HookTarget | null): string {
  return JSON.stringify(target);
}
