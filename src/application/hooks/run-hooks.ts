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
import { ForecastOutbox, type ForecastSource } from './forecasts/forecast-outbox.js';
import { RowsAndForecasts } from './forecasts/rows-and-forecasts.js';
import { NewestOutbox } from './observations/newest-outbox.js';
import type { NewestSource } from './observations/newest-weather.js';
import { Positions, PositionConflictError } from './observations/positions.js';
import { RowOutbox } from './observations/row-outbox.js';

/**
 * Milliseconds between two rounds. A changed hook takes effect in the next round. Each round stores which rows were delivered, so
 * that only the rows since the last round are sent again after a crash.
 */
export const HOOKS_INTERVAL = 2 * MILLISECONDS.second;
/**
 * Number of rounds between two searches for rows that were not announced, for example rows that another service has written to
 * the same SQLite file.
 */
const CATCH_UP_ROUNDS = (5 * MILLISECONDS.minute) / HOOKS_INTERVAL;
/**
 * Milliseconds between two writes of the time of the last delivery if nothing else has changed. Few writes make SD cards last
 * longer.
 */
const STATE_INTERVAL = 10 * MILLISECONDS.minute;

export interface RunHooksDependencies extends NewestSource, ForecastSource {
  readonly store: HookStore;
  readonly announcer: Announcer;
  readonly dispatcher: Dispatcher;
  readonly lease: Lease;
}

interface RunningHook {
  readonly hook: Hook;
  readonly outbox: RowOutbox | NewestOutbox;
  /** Undefined if the hook sends no forecasts. */
  readonly forecasts: ForecastOutbox | undefined;
  /** For each station, which rows and forecasts were delivered. Undefined for uploads to weather services, which get only the newest row. */
  readonly positions: Positions | undefined;
  readonly queue: DeliveryQueue;
  stored: HookState | undefined;
  /** `Clock.uptime` at which `stored` was last written. */
  storedAt: number;
}

/** Sends the new rows and forecasts of stations to the targets of hooks. */
export class RunHooks {
  readonly #with: RunHooksDependencies;
  readonly #running = new Map<string, RunningHook>();
  #unsubscribe: (() => void) | undefined;
  #mustCatchUp = false;
  #rounds = 0;

  constructor(dependencies: RunHooksDependencies) {
    this.#with = dependencies;
  }

  /** Runs one round: starts and stops hooks after changes, and stores for each hook which rows were delivered. */
  async execute(): Promise<void> {
    const { hooks: all } = await this.#with.store.hooks();
    const active = all.filter(({ paused }) => !paused);
    if (!(await this.#mayRun(active))) {
      await this.#stopAll();
      return;
    }
    const exists = (running: Hook) =>
      all.some(({ name, since }) => name === running.name && since === running.since);
    const activeByText = new Map(active.map((hook) => [JSON.stringify(hook), hook]));
    for (const running of this.#running.values())
      if (!exists(running.hook)) await this.#drop(running);
      else if (!activeByText.has(JSON.stringify(running.hook))) await this.#stop(running);
    this.#subscribe(activeByText.size > 0);
    await workThrough(activeByText.values(), (hook) => this.#start(hook));
    await this.#catchUp();
    await workThrough([...this.#running.values()], async (running) => {
      running.queue.wake();
      await this.#save(running);
    });
  }

  /**
   * Searches for rows and forecasts of which this process was not told when they were written, for example those that another
   * service has written.
   */
  async #catchUp(): Promise<void> {
    this.#rounds += 1;
    if (!this.#mustCatchUp && this.#rounds % CATCH_UP_ROUNDS !== 0) return;
    this.#mustCatchUp = false;
    try {
      for (const { outbox, forecasts } of this.#running.values()) {
        await outbox.catchUp();
        await forecasts?.catchUp();
      }
    } catch (error) {
      this.#mustCatchUp = true;
      throw error;
    }
  }

  /** The hooks of this instance whose targets fail. */
  get failing(): readonly FailingTarget[] {
    return [...this.#running.values()].flatMap(({ hook: { name }, queue: { status }, stored }) => {
      const since = status.failingSince === null ? null : stateOf(status, stored).failingSince;
      return since === null ? [] : { name, since };
    });
  }

  /** Number of stations whose rows wait for the target, and of forecasts that wait, by name of the hook. */
  get waiting(): WaitingCounts {
    return new Map(
      [...this.#running.values()].map(({ hook, outbox, forecasts }) => [
        hook.name,
        outbox.waiting + (forecasts?.waiting ?? 0),
      ]),
    );
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
    const stored = await store.state(hook.name);
    let positions: Positions | undefined;
    let outbox: RunningHook['outbox'];
    let forecasts: ForecastOutbox | undefined;
    let queue: DeliveryQueue;
    if (target.kind === 'service') {
      outbox = new NewestOutbox(hook, target, stations?.[0] ?? 0, this.#with, stored?.deliveredAt);
      queue = dispatcher.open(outbox);
    } else {
      positions = new Positions(clock, store, hook);
      await positions.load();
      outbox = new RowOutbox(hook, positions, this.#with);
      if (hook.forecasts === true) forecasts = new ForecastOutbox(hook, positions, this.#with);
      queue = dispatcher.open(forecasts === undefined ? outbox : new RowsAndForecasts(outbox, forecasts));
    }
    const running = { hook, outbox, forecasts, positions, queue, stored, storedAt: -Infinity };
    this.#running.set(hook.name, running);
    // The outbox (the source of the messages for the target) is told only of rows that change from now on, and of forecasts that
    // are issued from now on. So a search for earlier ones must follow.
    this.#mustCatchUp = true;
  }

  /**
   * Ends the running attempt and stores which rows of the hook were delivered, unless another process sends the rows of the hook
   * now.
   */
  async #stop(running: RunningHook): Promise<void> {
    await this.#drop(running);
    try {
      await running.positions?.save();
      await this.#saveState(running, 0);
    } catch (error) {
      if (!(error instanceof PositionConflictError)) throw error;
    }
  }

  async #drop({ hook, queue }: RunningHook): Promise<void> {
    this.#running.delete(hook.name);
    await this.#with.dispatcher.close(queue);
  }

  async #stopAll(): Promise<void> {
    this.#subscribe(false);
    await workThrough([...this.#running.values()], (running) => this.#stop(running));
  }

  async #save(running: RunningHook): Promise<void> {
    try {
      await running.positions?.save();
    } catch (error) {
      if (!(error instanceof PositionConflictError)) throw error;
      // Another process sends the rows of the hook now. The next round reads which rows the other process has delivered.
      await this.#stop(running);
      return;
    }
    await this.#saveState(running);
  }

  /** @param interval milliseconds between two writes if only the time of delivery has changed */
  async #saveState(running: RunningHook, interval = STATE_INTERVAL): Promise<void> {
    const { clock, store } = this.#with;
    const { stored } = running;
    const state = stateOf(running.queue.status, stored);
    const isSame = state.reason === stored?.reason && state.failingSince === stored.failingSince;
    const age = clock.uptime() - running.storedAt;
    // The first delivery shows that the hook works, so the time of this delivery is written at once.
    const isFirst = stored?.deliveredAt === null && state.deliveredAt !== null;
    if (isSame && !isFirst && (state.deliveredAt === stored.deliveredAt || age < interval)) return;
    await store.putState(running.hook.name, state, clock.now());
    running.stored = state;
    running.storedAt = clock.uptime();
  }

  /**
   * Subscribes to announcements, which tell of changed rows and new forecasts, only while there is a hook. Announcements are created only for
   * subscribers.
   */
  #subscribe(isNeeded: boolean): void {
    if (!isNeeded) {
      this.#unsubscribe?.();
      this.#unsubscribe = undefined;
    } else if (this.#unsubscribe === undefined) {
      this.#unsubscribe = this.#with.announcer.subscribe(['observations', 'forecast'], (announcement) => {
        if (announcement.kind === 'observations') this.#note(announcement.changes);
        else if (announcement.kind === 'forecast') this.#noteForecast(announcement.station);
        else this.#mustCatchUp = true;
      });
    }
  }

  /** @param station `Station.number` */
  #noteForecast(station: number): void {
    for (const { forecasts, queue } of this.#running.values())
      if (forecasts?.note(station) === true) queue.wake();
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

/** @param before the state that an earlier process has stored */
function stateOf(
  { deliveredAt, failingSince, reason }: DeliveryQueueStatus,
  before: HookState | undefined,
): HookState {
  const isNew = deliveredAt === null && reason === null;
  if (isNew && before !== undefined) return before;
  // If this process has delivered nothing and its attempts fail, the target is assumed to have failed without a break since the
  // time that an earlier process has stored. So this earlier time is kept.
  const isOld = deliveredAt === null && failingSince !== null;
  return {
    deliveredAt: deliveredAt ?? before?.deliveredAt ?? null,
    failingSince: isOld ? (before?.failingSince ?? failingSince) : failingSince,
    reason,
  };
}
