import { DomainError } from '#domain/domain-error.js';
import type { DayAhead } from '#domain/forecast/days-ahead.js';
import type { ForecastOrder } from '#domain/forecast/forecast-order.js';
import { MILLISECONDS } from '#domain/time.js';
import type { Station } from '#domain/weather/station.js';
import { roundTo } from '#domain/weather/usual-decimals.js';
import type { ForecastOrders } from '../forecast/forecast-orders.js';
import { FORECAST_MAX_AGE, type GetForecast, type ShownForecast } from '../forecast/read/get-forecast.js';
import { pause } from '../pause.js';
import type { Calendar } from '../ports/calendar.js';
import type { Clock } from '../ports/clock.js';
import type { PublishedForecast, PublishedValue } from '../ports/state-publisher.js';
import { nextMidnight } from './next-midnight.js';

/** Milliseconds between two readings of the orders of forecasts. */
const ORDERS_INTERVAL = 5 * MILLISECONDS.second;
/** Milliseconds after which a forecast is read again, because the extremes of today include what was measured meanwhile. */
const READ_INTERVAL = 10 * MILLISECONDS.minute;

/** The quantities of a day: the end of the name, the field of the day, and the number of decimals. */
const OF_DAY = [
  ['minimum', 'minimum', 1],
  ['maximum', 'maximum', 1],
  ['rain_chance', 'rainChance', 0],
] as const;
const DAYS = ['today', 'tomorrow'] as const;

/** Names of the values of a forecast: `forecast_minimum_today`. */
export const FORECAST_QUANTITIES: readonly string[] = DAYS.flatMap((day) =>
  OF_DAY.map(([quantity]) => `forecast_${quantity}_${day}`),
);

interface KnownForecast {
  readonly station: Station;
  readonly order: ForecastOrder;
  /** Undefined if the station has no forecast that is shown. */
  readonly forecast: PublishedForecast | undefined;
  /** Time from which the values are of other days or too old, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly until: number;
  /** `Clock.uptime` of the reading. */
  readonly readAt: number;
}

/** The forecasts of published stations. Only stations whose owners have ordered forecasts are read, and only if they may have changed. */
export class PublishedForecasts {
  readonly #clock: Clock;
  readonly #calendar: Calendar;
  readonly #orders: Pick<ForecastOrders, 'list'>;
  readonly #get: Pick<GetForecast, 'execute'>;
  /** By `Station.number`. */
  #ordered: ReadonlyMap<number, ForecastOrder> = new Map();
  #orderedAt = -Infinity;
  readonly #known = new Map<number, KnownForecast>();
  /** Numbers of the stations that `note` has named since they were read. */
  readonly #noted = new Set<number>();

  constructor(
    clock: Clock,
    calendar: Calendar,
    orders: Pick<ForecastOrders, 'list'>,
    get: Pick<GetForecast, 'execute'>,
  ) {
    this.#clock = clock;
    this.#calendar = calendar;
    this.#orders = orders;
    this.#get = get;
  }

  /**
   * The forecast of a station, the same object until the forecast is another one; undefined if the station has none.
   *
   * @param station `Station.number`
   */
  of(station: number): PublishedForecast | undefined {
    return this.#known.get(station)?.forecast;
  }

  /** Reads the forecast of a station again in the next `renew`. @param station `Station.number` */
  note(station: number): void {
    this.#noted.add(station);
  }

  /** Forgets all forecasts. */
  clear(): void {
    this.#known.clear();
    this.#orderedAt = -Infinity;
  }

  /** Reads what may have changed. @param stations the published stations @throws DomainError STORE_UNAVAILABLE */
  async renew(stations: readonly Station[]): Promise<void> {
    const uptime = this.#clock.uptime();
    if (uptime - this.#orderedAt >= ORDERS_INTERVAL) {
      this.#ordered = new Map((await this.#orders.list()).map((order) => [order.station, order]));
      this.#orderedAt = uptime;
    }
    const wanted = stations.filter(({ number }) => this.#ordered.has(number));
    const numbers = new Set(wanted.map(({ number }) => number));
    for (const mentioned of [this.#known, this.#noted])
      for (const number of mentioned.keys()) if (!numbers.has(number)) mentioned.delete(number);
    for (const station of wanted) {
      const order = this.#ordered.get(station.number) as ForecastOrder;
      const known = this.#known.get(station.number);
      const isNoted = this.#noted.delete(station.number);
      if (!isNoted && known !== undefined && this.#isCurrent(known, station, order)) continue;
      // oxlint-disable-next-line no-await-in-loop -- one forecast in memory at a time
      await this.#read(station, order).catch((error: unknown) => {
        this.#noted.add(station.number);
        throw error;
      });
      // oxlint-disable-next-line no-await-in-loop -- reading a forecast takes about 10 ms, and requests must not wait for all of them
      await pause();
    }
  }

  #isCurrent(
    { station, order, until, readAt }: KnownForecast,
    now: Station,
    ordered: ForecastOrder,
  ): boolean {
    return (
      station === now &&
      order.provider === ordered.provider &&
      order.since === ordered.since &&
      this.#clock.now() < until &&
      this.#clock.uptime() - readAt < READ_INTERVAL
    );
  }

  async #read(station: Station, order: ForecastOrder): Promise<void> {
    const shown = await this.#shown(station.id);
    const date = this.#calendar.format(this.#clock.now(), station.timeZone).slice(0, 10);
    const today = this.#calendar.startOfDay(date, station.timeZone, 0);
    const tomorrow = nextMidnight(this.#calendar, today, station.timeZone);
    const read = shown && publishedForecast(shown, [today, tomorrow]);
    const before = this.of(station.number);
    this.#known.set(station.number, {
      station,
      order,
      forecast: JSON.stringify(read) === JSON.stringify(before) ? before : read,
      until: read === undefined ? Infinity : Math.min(tomorrow, read.issued + FORECAST_MAX_AGE),
      readAt: this.#clock.uptime(),
    });
  }

  async #shown(id: string): Promise<ShownForecast | undefined> {
    try {
      // The setting has selected the stations. A hidden station is among them only if the setting names it.
      return await this.#get.execute(id, undefined, 'users');
    } catch (error) {
      const isAbsent =
        error instanceof DomainError &&
        ['FORECAST_UNKNOWN', 'STATION_UNKNOWN', 'DATA_DAMAGED'].includes(error.code);
      if (isAbsent) return undefined;
      throw error;
    }
  }
}

/** @param starts of today and tomorrow, in milliseconds since 1970-01-01T00:00:00Z */
function publishedForecast(
  { provider, forecast: { issued }, days }: ShownForecast,
  starts: readonly [today: number, tomorrow: number],
): PublishedForecast {
  const values = DAYS.flatMap((name, index) => {
    const day = days.find(({ start }) => start === starts[index]);
    return OF_DAY.map(([quantity, field, decimals]): PublishedValue => ({
      name: `forecast_${quantity}_${name}`,
      value: valueOf(day, field, decimals),
    }));
  });
  const { name, attribution, isSimulated = false } = provider;
  return {
    issued,
    provider: name,
    attribution: [attribution.text, attribution.url].filter((part) => part !== '').join(', '),
    isSimulated,
    values,
    maxAge: FORECAST_MAX_AGE / MILLISECONDS.second,
  };
}

function valueOf(
  day: DayAhead | undefined,
  field: (typeof OF_DAY)[number][1],
  decimals: number,
): number | null {
  const value = day?.[field] ?? Number.NaN;
  return Number.isNaN(value) ? null : roundTo(value, decimals);
}
