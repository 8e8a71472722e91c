import type { Alarm } from '#domain/alarms/alarm.js';
import {
  type AlarmState,
  beyondSince,
  isBeyond,
  MAX_VALUE_AGE,
  type AlarmInput,
  noticeOf,
} from '#domain/alarms/alarm-state.js';
import type { BatteryCondition, NoticeCondition, ThresholdCondition } from '#domain/alarms/condition.js';
import { forecastHours } from '#domain/alarms/forecast-event.js';
import type { IssuedForecast } from '#domain/forecast/forecast.js';
import { type LowBattery, lowBatteryOf } from '#domain/sensors/low-battery.js';
import { MILLISECONDS } from '#domain/time.js';
import type { Notice } from '#domain/weather/quality/notices/notice.js';
import type { Newest } from '#domain/weather/station-state.js';
import type { Station } from '#domain/weather/station.js';
import type { ForecastOrders } from '../forecast/forecast-orders.js';
import type { ForecastRecords, ForecastSeries } from '../forecast/forecast-records.js';
import type { NoticeRecords } from '../observations/notices/notice-records.js';
import type { Clock } from '../ports/clock.js';
import type { ObservationStore } from '../ports/observation-store.js';
import { ReadInterval } from '../observations/read/current/read-interval.js';
import type { NoteSensors } from '../sensors/note-sensors.js';

/**
 * Milliseconds for which the notice of an alarm is cached. Without the cache, the notices of a station would be read with each of
 * its rows.
 */
const NOTICE_AGE = 2 * MILLISECONDS.minute;
/** Milliseconds for which the sensors of a station are cached, for the same reason. */
const BATTERY_AGE = MILLISECONDS.minute;
/** Milliseconds for which forecasts are cached, for the same reason. */
const FORECAST_AGE = MILLISECONDS.minute;
/**
 * Maximum time in milliseconds after the start of the service in which no silence is reported. Stations need some time to send
 * again.
 */
const START_TIME = 15 * MILLISECONDS.minute;
/**
 * Milliseconds. An alarm may require that the values are beyond the threshold for a duration, for example the last ten minutes.
 * Whether the values were already beyond the threshold at the start of the duration is decided by the last value before the
 * start. That value is searched only in this time before the start.
 */
const MAX_GAP = MILLISECONDS.hour;

export interface ReadStationDependencies {
  readonly clock: Clock;
  readonly observations: ObservationStore;
  readonly notices: NoticeRecords;
  readonly sensors: NoteSensors;
  readonly forecastOrders: ForecastOrders;
  readonly forecasts: ForecastRecords;
}

/** Reads the data of a station that are needed to evaluate its alarms. */
export class ReadStation {
  readonly #clock: Clock;
  readonly #observations: ObservationStore;
  readonly #notices: NoticeRecords;
  readonly #sensors: NoteSensors;
  readonly #forecastOrders: ForecastOrders;
  readonly #forecastRecords: ForecastRecords;
  readonly #startedAt: number;
  readonly #interval: ReadInterval;

  /** By id of the alarm and number of the station. */
  readonly #noticed = new Map<string, { readonly notice: Notice | undefined; readonly until: number }>();

  /** By number of the station, and charge of the condition. */
  readonly #batteries = new Map<string, { readonly low: LowBattery | undefined; readonly until: number }>();

  /** The stations with forecasts, and the newest forecasts that were read, by number of the station. */
  #series: ReadonlyMap<number, ForecastSeries> = new Map();
  readonly #forecasts = new Map<number, IssuedForecast>();
  /** `Clock.uptime` until which both are valid. */
  #forecastsUntil = -Infinity;

  constructor({ clock, observations, notices, sensors, forecastOrders, forecasts }: ReadStationDependencies) {
    this.#clock = clock;
    this.#observations = observations;
    this.#notices = notices;
    this.#sensors = sensors;
    this.#forecastOrders = forecastOrders;
    this.#forecastRecords = forecasts;
    this.#interval = new ReadInterval(clock, observations);
    this.#startedAt = clock.now();
  }

  async execute(
    { id, condition, madeAt }: Alarm,
    state: AlarmState,
    station: Station,
    newest: Newest,
  ): Promise<AlarmInput> {
    const { lastSeen, values } = newest;
    const reading: AlarmInput = {
      now: this.#clock.now(),
      lastSeen,
      values,
      interval: { milliseconds: Infinity, source: 'default' },
      watchedSince: madeAt,
      silentFrom: -Infinity,
    };
    if (condition.kind === 'failed') return reading;
    if (condition.kind === 'battery')
      return { ...reading, lowBattery: await this.#lowBattery(station, condition) };
    if (condition.kind === 'notice')
      return {
        ...reading,
        notice: await this.#notice(`${id} ${station.number}`, condition, station, reading),
      };
    if (condition.kind === 'forecast') {
      const forecast = await this.#forecast(station);
      return { ...reading, forecast: forecast && forecastHours(condition, forecast) };
    }
    if (condition.kind !== 'silent')
      return { ...reading, beyondSince: await this.#beyondSince(condition, state, newest) };
    const interval = await this.#interval.execute(station, lastSeen);
    const silence = condition.intervals * interval.milliseconds;
    return { ...reading, interval, silentFrom: this.#startedAt + Math.min(silence, START_TIME) };
  }

  async #notice(
    key: string,
    condition: NoticeCondition,
    { number }: Station,
    reading: AlarmInput,
  ): Promise<Notice | undefined> {
    const known = this.#noticed.get(key);
    if (known !== undefined && known.until > this.#clock.uptime()) return known.notice;
    const { notices } = await this.#notices.find(number);
    const notice = noticeOf(condition, notices, reading);
    this.#noticed.set(key, { notice, until: this.#clock.uptime() + NOTICE_AGE });
    return notice;
  }

  async #lowBattery({ number }: Station, { below }: BatteryCondition): Promise<LowBattery | undefined> {
    const key = `${number} ${below ?? ''}`;
    const known = this.#batteries.get(key);
    if (known !== undefined && known.until > this.#clock.uptime()) return known.low;
    const low = lowBatteryOf(await this.#sensors.list(number), this.#clock.now(), below);
    this.#batteries.set(key, { low, until: this.#clock.uptime() + BATTERY_AGE });
    return low;
  }

  /** The newest forecast of a station. A forecast that is a day old says nothing, like a value of this age. */
  async #forecast({ number }: Station): Promise<IssuedForecast | undefined> {
    const [now, uptime] = [this.#clock.now(), this.#clock.uptime()];
    if (this.#forecastsUntil <= uptime) {
      const orders = await this.#forecastOrders.list();
      this.#series = new Map(orders.map((order) => [order.station, order]));
      this.#forecasts.clear();
      this.#forecastsUntil = uptime + FORECAST_AGE;
    }
    const series = this.#series.get(number);
    if (series === undefined) return undefined;
    const known = this.#forecasts.get(number);
    const forecast = known ?? (await this.#forecastRecords.newestReadable(series, now, MAX_VALUE_AGE));
    if (forecast === undefined || forecast.issued <= now - MAX_VALUE_AGE) return undefined;
    this.#forecasts.set(number, forecast);
    return forecast;
  }

  /**
   * Returns the time since which the values have been beyond the threshold. Returns undefined, without reading rows, if the
   * condition has no duration, if the alarm is already raised, or if the newest value is missing or not beyond the threshold.
   */
  async #beyondSince(
    condition: ThresholdCondition,
    { status }: AlarmState,
    { station, values }: Newest,
  ): Promise<number | undefined> {
    const { variable, for: duration } = condition;
    const value = values.get(variable);
    if (duration === 0 || status === 'raised' || value === undefined || !isBeyond(condition, value.value))
      return undefined;
    const range = { from: value.time - duration - MAX_GAP, to: value.time + 1 };
    let since: number | undefined;
    for await (const batch of this.#observations.read({
      stations: [station],
      ...range,
      variables: [variable],
    })) {
      const { times } = batch;
      const column = batch.values.get(variable);
      if (column === undefined) continue;
      since = beyondSince(condition, { times, values: column, flags: batch.flags.get(variable) }, since);
    }
    return since;
  }
}
