import { isDomainError } from '#domain/domain-error.js';
import { type ForecastOrder, type OrderState } from '#domain/forecast/forecast-order.js';
import { nextPoll } from '#domain/sources/poll-times.js';
import { SourceFailure } from '#domain/sources/source-failure.js';
import { MILLISECONDS } from '#domain/time.js';
import type { Station } from '#domain/weather/station.js';
import type { Announcer } from '../ports/announcer.js';
import type { Clock } from '../ports/clock.js';
import type { Lease } from '../ports/lease.js';
import type { Telemetry } from '../ports/telemetry.js';
import type { StationDirectory } from '../stations/station-directory.js';
import { unlessDamaged } from './damaged-forecasts.js';
import type { ForecastOrders } from './forecast-orders.js';
import type { ForecastRecords } from './forecast-records.js';
import type { IssueForecast } from './issue-forecast.js';
import type { ForecastProviders } from './providers.js';
import type { ScoreForecasts } from './score-forecasts.js';

/** Milliseconds between two rounds. A new order is asked for in the next round. */
export const FORECASTS_INTERVAL = 5 * MILLISECONDS.second;
/** Milliseconds between two removals of old forecasts, and between two looks at observations that have changed. */
const CARE_INTERVAL = MILLISECONDS.day;

export interface RunForecastsDependencies {
  readonly clock: Clock;
  readonly orders: ForecastOrders;
  readonly providers: ForecastProviders;
  readonly records: ForecastRecords;
  readonly issue: IssueForecast;
  readonly score: ScoreForecasts;
  readonly directory: StationDirectory;
  readonly announcer: Announcer;
  readonly lease: Lease;
  readonly telemetry: Telemetry;
  readonly settings: ForecastTimes;
}

/** In milliseconds. */
export interface ForecastTimes {
  /** Between two requests for a station. */
  readonly every: number;
  /** For which issued forecasts are kept. */
  readonly retention: number;
}

/** Milliseconds until the request after a failure. Further failures double them, up to the interval. */
const FIRST_PAUSE = MILLISECONDS.minute;
/** The longest pause that a provider may ask for. A header with a wrong date must not end the forecasts. */
const MAX_PAUSE = MILLISECONDS.day;

interface Running {
  readonly order: ForecastOrder;
  /** Id of the station. */
  id: string;
  state: OrderState;
  /** `Clock.uptime` of the next request. */
  nextAt: number;
  failures: number;
}

/** Asks for the forecasts of all orders while the service runs. If several instances use the same data, only one of them asks. */
export class RunForecasts {
  readonly #with: RunForecastsDependencies;
  readonly #running = new Map<number, Running>();
  readonly #stopping = new AbortController();
  readonly #count: (labels: Record<'provider' | 'outcome', string>) => { add(amount: number): void };
  #busy: Promise<void> | undefined;
  #caredAt = -Infinity;

  constructor(dependencies: RunForecastsDependencies) {
    this.#with = dependencies;
    const { telemetry } = dependencies;
    this.#count = telemetry.counter({
      name: 'weatherd_forecast_requests_total',
      help: 'Requests to providers of forecasts.',
      labels: ['provider', 'outcome'],
    });
    telemetry.gauge(
      {
        name: 'weatherd_forecast_newest_timestamp_seconds',
        help: 'Time of issue of the newest forecast, by number of the station.',
        labels: ['station', 'provider'],
      },
      () =>
        [...this.#running.values()].flatMap(({ order: { station, provider }, state: { issuedAt } }) =>
          issuedAt === null
            ? []
            : [{ labels: { station: String(station), provider }, value: issuedAt / MILLISECONDS.second }],
        ),
    );
  }

  /** Runs one round: begins the requests whose time has come. Does not wait for them. */
  async execute(): Promise<void> {
    const orders = await this.#with.orders.list();
    if (!(await this.#mayRun(orders))) {
      this.#running.clear();
      return;
    }
    for (const [station, { order }] of this.#running)
      if (
        !orders.some(
          (one) => one.station === station && one.provider === order.provider && one.since === order.since,
        )
      )
        this.#running.delete(station);
    for (const order of orders) {
      if (this.#running.has(order.station)) continue;
      // oxlint-disable-next-line no-await-in-loop -- once for each order
      const state = await this.#with.orders.state(order.station);
      const nextAt = this.#firstAt(order, state);
      this.#running.set(order.station, { order, id: '', state, nextAt, failures: 0 });
    }
    // A failure of the store ends the requests of this round. The next round tries again, and reports a failure that lasts.
    this.#busy ??= this.#work()
      .catch(() => undefined)
      .finally(() => (this.#busy = undefined));
  }

  /**
   * `Clock.uptime` of the first request of this process. A provider that has answered another process, before a restart or in another
   * instance, is not asked again before the end of the interval.
   */
  #firstAt(order: ForecastOrder, { answeredAt, failingSince }: OrderState): number {
    if (answeredAt === null || answeredAt < order.since || failingSince !== null) return -Infinity;
    const { clock } = this.#with;
    const interval = this.#intervalOf(order);
    // The clock may have been set back since.
    return clock.uptime() + Math.min(answeredAt + interval - clock.now(), interval);
  }

  /** Milliseconds between two requests: the setting, and at least what the provider allows. */
  #intervalOf({ provider }: ForecastOrder): number {
    const { providers, settings } = this.#with;
    const shortest = providers.find(provider)?.shortestInterval ?? 0;
    return Math.max(settings.every, shortest * MILLISECONDS.second);
  }

  /** The orders of this instance that get no forecast. */
  get failing(): readonly { readonly id: string; readonly since: number; readonly reason: string }[] {
    return [...this.#running.values()].flatMap(({ id, state: { failingSince, reason } }) =>
      failingSince === null || id === '' ? [] : [{ id, since: failingSince, reason: reason ?? '' }],
    );
  }

  /** Waits for the end of the running requests. */
  async idle(): Promise<void> {
    await this.#busy;
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    await this.#busy;
    await this.#with.lease.release();
  }

  async #mayRun(orders: readonly ForecastOrder[]): Promise<boolean> {
    // Without orders, old forecasts are still removed. Several instances may do so.
    return orders.length === 0 || (await this.#with.lease.acquire());
  }

  /** One request after the other, so that a provider never gets many at once. */
  async #work(): Promise<void> {
    const { clock, directory } = this.#with;
    const byNumber: ReadonlyMap<number, Station> =
      this.#running.size === 0 ? new Map() : (await directory.current()).byNumber;
    for (const running of this.#running.values()) {
      const station = byNumber.get(running.order.station);
      if (station === undefined || this.#stopping.signal.aborted || clock.uptime() < running.nextAt) continue;
      // oxlint-disable-next-line no-await-in-loop -- see above
      await this.#ask(running, station);
    }
    if (clock.uptime() - this.#caredAt < CARE_INTERVAL) return;
    this.#caredAt = clock.uptime();
    await this.#care(byNumber);
  }

  /** Removes old forecasts, and scores hours again whose observations have changed. */
  async #care(stations: ReadonlyMap<number, Station>): Promise<void> {
    const { clock, records, score, settings } = this.#with;
    await records.purge(clock.now() - settings.retention);
    for (const { order } of this.#running.values()) {
      const station = stations.get(order.station);
      if (station === undefined || this.#stopping.signal.aborted) continue;
      // Damaged scores, which "weatherd check" names, stay as they are. Those of the other stations are renewed.
      // oxlint-disable-next-line no-await-in-loop -- one station after the other
      await unlessDamaged(score.execute(station, order, { signal: this.#stopping.signal }));
    }
  }

  async #ask(running: Running, station: Station): Promise<void> {
    const { clock, issue, orders, announcer, providers } = this.#with;
    const { order } = running;
    running.id = station.id;
    const provider = providers.find(order.provider);
    if (provider === undefined) return;
    const askedAt = clock.uptime();
    let [fresh, retryAfter]: [number, number | undefined] = [0, undefined];
    try {
      if (provider.fault !== undefined) throw new SourceFailure(provider.fault);
      const found = await issue.execute(station, provider, this.#stopping.signal);
      fresh = found.freshFor;
      running.failures = 0;
      running.state = {
        issuedAt: found.forecast.issued,
        answeredAt: clock.now(),
        failingSince: null,
        reason: found.warning ?? null,
      };
      this.#count({ provider: provider.name, outcome: found.isNew ? 'issued' : 'unchanged' }).add(1);
      if (found.isNew)
        announcer.announce({ kind: 'forecast', station: station.number, issued: found.forecast.issued });
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      const failure = error instanceof SourceFailure ? error : undefined;
      retryAfter = failure?.retryAfter;
      running.failures += 1;
      running.state = {
        ...running.state,
        failingSince: running.state.failingSince ?? clock.now(),
        reason: failure?.message ?? damageIn(error) ?? 'The forecast could not be stored.',
      };
      this.#count({ provider: provider.name, outcome: 'failed' }).add(1);
    }
    const interval = this.#intervalOf(order);
    const pause = Math.min(interval, FIRST_PAUSE * 2 ** (running.failures - 1));
    running.nextAt = nextPoll({
      askedAt,
      endedAt: clock.uptime(),
      interval,
      failures: running.failures,
      retryAfter: Math.min(MAX_PAUSE, Math.max(pause, (retryAfter ?? 0) * MILLISECONDS.second)),
      freshFor: fresh,
    });
    await orders.putState(order.station, running.state, clock.now()).catch(() => undefined);
  }
}

/** A sentence about damaged data that a forecast needs; undefined for another error. */
function damageIn(error: unknown): string | undefined {
  if (!isDomainError(error, 'DATA_DAMAGED')) return undefined;
  return `${(error as Error).message} "weatherd check" lists what is damaged.`;
}
