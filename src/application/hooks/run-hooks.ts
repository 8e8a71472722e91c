import type { Hook, HookState } from '#domain/hooks/hook.js';
import { MILLISECONDS } from '#domain/time.js';
import type { ObservationChanges } from '#domain/weather/changed-rows.js';
import type { Announcer } from '../ports/announcer.js';
import type { HookStore } from '../ports/hook-store.js';
import type { Lease } from '../ports/lease.js';
import { workThrough } from '../work-through.js';
import type { Dispatcher } from './dispatcher.js';
import type { WaitingCounts } from './delivery-metrics.js';
import type { FailingTarget } from './failing-targets.js';
import type { DeliveryQueue, DeliveryQueueStatus } from './delivery-queue.js';
import { NewestOutbox, type NewestSource } from './observations/newest-outbox.js';
import { Positions, PositionsTakenError } from './observations/positions.js';
import { RowOutbox } from './observations/row-outbox.js';

/** Milliseconds between two rounds: how soon changes of hooks count, and how much is sent again after a crash. */
export const HOOKS_INTERVAL = 5 * MILLISECONDS.second;
/** Rounds after which rows are looked for that nobody has announced: those of another service on the same SQLite file. */
const CATCH_UP_ROUNDS = 60;
/** Milliseconds after which a new time of delivery is stored, if nothing else has changed. It spares SD cards. */
const STATE_INTERVAL = 10 * MILLISECONDS.minute;

export interface RunHooksDependencies extends NewestSource {
  readonly store: HookStore;
  readonly announcer: Announcer;
  readonly dispatcher: Dispatcher;
  readonly lease: Lease;
}

interface RunningHook {
  readonly hook: Hook;
  readonly outbox: RowOutbox | NewestOutbox;
  /** Undefined for uploads, which need none. */
  readonly positions: Positions | undefined;
  readonly queue: DeliveryQueue;
  stored: HookState | undefined;
  /** `Clock.uptime` of the last write of `stored`. */
  storedAt: number;
}

/** Sends the new rows of stations to the targets of hooks. */
export class RunHooks {
  readonly #with: RunHooksDependencies;
  readonly #running = new Map<string, RunningHook>();
  #unsubscribe: (() => void) | undefined;
  #mustCatchUp = false;
  #rounds = 0;

  constructor(dependencies: RunHooksDependencies) {
    this.#with = dependencies;
  }

  /** Starts and stops hooks that were changed, and stores how far each of them is. */
  async execute(): Promise<void> {
    const { hooks: all } = await this.#with.store.hooks();
    const active = all.filter(({ paused }) => !paused);
    if (!(await this.#mayRun(active))) {
      await this.#stopAll();
      return;
    }
    const isThere = (running: Hook) =>
      all.some(({ name, since }) => name === running.name && since === running.since);
    const wanted = new Map(active.map((hook) => [JSON.stringify(hook), hook]));
    for (const running of this.#running.values())
      if (!isThere(running.hook)) await this.#drop(running);
      else if (!wanted.has(JSON.stringify(running.hook))) await this.#stop(running);
    this.#listen(wanted.size > 0);
    await workThrough(wanted.values(), (hook) => this.#start(hook));
    await this.#catchUp();
    await workThrough([...this.#running.values()], async (running) => {
      running.queue.wake();
      await this.#save(running);
    });
  }

  /** Looks for rows that were not announced here. */
  async #catchUp(): Promise<void> {
    this.#rounds += 1;
    if (!this.#mustCatchUp && this.#rounds % CATCH_UP_ROUNDS !== 0) return;
    this.#mustCatchUp = false;
    try {
      for (const { outbox } of this.#running.values()) await outbox.catchUp();
    } catch (error) {
      this.#mustCatchUp = true;
      throw error;
    }
  }

  /** The hooks that this instance sends whose targets fail. */
  get failing(): readonly FailingTarget[] {
    return [...this.#running.values()].flatMap(({ hook: { name }, queue: { status }, stored }) => {
      const since = status.failingSince === null ? null : stateOf(status, stored).failingSince;
      return since === null ? [] : { name, since };
    });
  }

  /** Stations with rows that wait for their target, by name of the hook. */
  get waiting(): WaitingCounts {
    return new Map([...this.#running.values()].map(({ hook, outbox }) => [hook.name, outbox.waiting]));
  }

  async close(): Promise<void> {
    try {
      await this.#stopAll();
    } finally {
      await this.#with.lease.release();
    }
  }

  async #mayRun(active: readonly Hook[]): Promise<boolean> {
    const { lease } = this.#with;
    try {
      return active.length > 0 && (await lease.acquire());
    } catch (error) {
      if (!lease.isHeld) await this.#stopAll();
      throw error;
    }
  }

  async #start(hook: Hook): Promise<void> {
    if (this.#running.has(hook.name)) return;
    const { clock, store, dispatcher } = this.#with;
    const { target, stations } = hook;
    let positions: Positions | undefined;
    let outbox: RunningHook['outbox'];
    if (target.kind === 'upload') {
      outbox = new NewestOutbox(hook, target, stations?.[0] ?? 0, this.#with);
    } else {
      positions = new Positions(clock, store, hook);
      await positions.load();
      outbox = new RowOutbox(hook, positions, this.#with);
    }
    const stored = await store.state(hook.name);
    const queue = dispatcher.open(outbox);
    this.#running.set(hook.name, { hook, outbox, positions, queue, stored, storedAt: -Infinity });
    // Last, because from now on announcements reach the outbox, so no row is missed in between.
    this.#mustCatchUp = true;
  }

  /** Ends the attempt under way, and stores how far the hook is, unless another process sends it now. */
  async #stop(running: RunningHook): Promise<void> {
    await this.#drop(running);
    try {
      await running.positions?.save();
      await this.#saveState(running, 0);
    } catch (error) {
      if (!(error instanceof PositionsTakenError)) throw error;
    }
  }

  async #drop({ hook, queue }: RunningHook): Promise<void> {
    this.#running.delete(hook.name);
    await this.#with.dispatcher.shut(queue);
  }

  async #stopAll(): Promise<void> {
    this.#listen(false);
    await workThrough([...this.#running.values()], (running) => this.#stop(running));
  }

  async #save(running: RunningHook): Promise<void> {
    try {
      await running.positions?.save();
    } catch (error) {
      if (!(error instanceof PositionsTakenError)) throw error;
      // The next round reads how far the other process has come.
      await this.#stop(running);
      return;
    }
    await this.#saveState(running);
  }

  /** @param interval milliseconds between two writes where only the time of delivery has changed */
  async #saveState(running: RunningHook, interval = STATE_INTERVAL): Promise<void> {
    const { clock, store } = this.#with;
    const { stored } = running;
    const state = stateOf(running.queue.status, stored);
    const isSame = state.reason === stored?.reason && state.failingSince === stored.failingSince;
    const age = clock.uptime() - running.storedAt;
    // The first delivery tells that the hook works, so it is written at once.
    const isFirst = stored?.deliveredAt === null && state.deliveredAt !== null;
    if (isSame && !isFirst && (state.deliveredAt === stored.deliveredAt || age < interval)) return;
    await store.putState(running.hook.name, state, clock.now());
    running.stored = state;
    running.storedAt = clock.uptime();
  }

  /** Listens only while there is a hook, because announcements are made only for listeners. */
  #listen(isNeeded: boolean): void {
    if (!isNeeded) {
      this.#unsubscribe?.();
      this.#unsubscribe = undefined;
    } else if (this.#unsubscribe === undefined) {
      this.#unsubscribe = this.#with.announcer.subscribe(['observations'], (announcement) => {
        if (announcement.kind === 'observations') this.#note(announcement.changes);
        else this.#mustCatchUp = true;
      });
    }
  }

  #note({ stations, from, to, revisions }: ObservationChanges): void {
    for (const { outbox, queue } of this.#running.values()) {
      let hasNews = false;
      for (const [index, station] of stations.entries()) {
        const change = {
          station,
          from: from[index] as number,
          to: to[index] as number,
          revision: revisions[index] as number,
        };
        hasNews = outbox.note(change) || hasNews;
      }
      if (hasNews) queue.wake();
    }
  }
}

/** @param before the state that another run of the hook has stored */
function stateOf(
  { deliveredAt, failingSince, reason }: DeliveryQueueStatus,
  before: HookState | undefined,
): HookState {
  const isNew = deliveredAt === null && reason === null;
  if (isNew && before !== undefined) return before;
  // It has failed before this run, too, if nothing was delivered since.
  const isOld = deliveredAt === null && failingSince !== null;
  return {
    deliveredAt: deliveredAt ?? before?.deliveredAt ?? null,
    failingSince: isOld ? (before?.failingSince ?? failingSince) : failingSince,
    reason,
  };
}
