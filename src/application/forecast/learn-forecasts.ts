import { correct } from '#domain/forecast/correct.js';
import type { IssuedForecast } from '#domain/forecast/forecast.js';
import { roundedForecast } from '#domain/forecast/forecast-text.js';
import { afterChange, type FinishedHour, type ForecastOfHour, learnPart } from '#domain/forecast/learn.js';
import { leadClass, PART } from '#domain/forecast/leads.js';
import { observedHours, REACH } from '#domain/forecast/observed-hours.js';
import { addAllScores, type LeadScores } from '#domain/forecast/verification.js';
import { MILLISECONDS } from '#domain/time.js';
import { concatenate } from '#domain/weather/merge-series.js';
import type { Series } from '#domain/weather/series.js';
import { periodsOf, reportingIntervalAt } from '#domain/weather/station-history.js';
import type { Station } from '#domain/weather/station.js';
import type { ObservationStore } from '../ports/observation-store.js';
import type { ForecastRecords, ForecastSeries, LearnedState } from './forecast-records.js';

/** Milliseconds after the end of a part of a day until it is learned. Then late reports are there, and their quality is checked. */
const DELAY = 90 * MILLISECONDS.minute;
/** The longest lead time of forecasts that are learned, in milliseconds. */
const MAX_LEAD = 240 * MILLISECONDS.hour;
/** Milliseconds of hours that are read at once. */
const CHUNK = 30 * MILLISECONDS.day;

/**
 * Learns from the forecasts and the observations of a station, up to now. Each part of a day is learned once, in order, and only
 * forecasts that are issued after it was learned are corrected with it.
 */
export class LearnForecasts {
  readonly #observations: ObservationStore;
  readonly #records: ForecastRecords;

  constructor(observations: ObservationStore, records: ForecastRecords) {
    this.#observations = observations;
    this.#records = records;
  }

  /**
   * @param now milliseconds since 1970-01-01T00:00:00Z
   * @returns what was learned so far
   */
  async execute(
    station: Station,
    series: ForecastSeries,
    now: number,
    signal?: AbortSignal,
  ): Promise<LearnedState> {
    const end = startOfPart(now - DELAY, station.longitude);
    let state = await this.#records.learned(series);
    while (state.until < end) {
      if (signal?.aborted === true) break;
      const from = state.until === -Infinity ? await this.#begin(station, series) : state.until;
      if (from === undefined || from >= end) break;
      // oxlint-disable-next-line no-await-in-loop -- each part needs what was learned before it
      await this.#learn(station, series, state, { from, to: Math.min(end, from + CHUNK) });
      // oxlint-disable-next-line no-await-in-loop -- as above; another process may have learned the same
      state = await this.#records.learned(series);
    }
    return state;
  }

  /** Learns everything again, after forecasts of the past were imported. */
  async again(
    station: Station,
    series: ForecastSeries,
    now: number,
    signal?: AbortSignal,
  ): Promise<LearnedState> {
    await this.#records.forgetLearned(series);
    return await this.execute(station, series, now, signal);
  }

  /** The begin of the part of the day in which the first forecast was issued. */
  async #begin({ longitude }: Station, series: ForecastSeries): Promise<number | undefined> {
    const first = await this.#records.first(series);
    return first === undefined ? undefined : startOfPart(first, longitude);
  }

  /** Learns parts of days, and stores what was learned unless another process has done so. */
  async #learn(
    station: Station,
    series: ForecastSeries,
    before: LearnedState,
    { from, to }: { readonly from: number; readonly to: number },
  ): Promise<void> {
    const hours = hoursOf(from - MAX_LEAD - MILLISECONDS.day, to + DELAY);
    const observed = observedHours(
      await this.#observed(station, from - MAX_LEAD - 2 * MILLISECONDS.day, to + DELAY + REACH + 1),
      hours,
      reportingIntervalAt(station, from),
    );
    const first = hours[0] as number;
    const at = (number: number, time: number) =>
      observed.get(number)?.[Math.round((time - first) / MILLISECONDS.hour)] ?? Number.NaN;
    const changes = periodsOf(station).flatMap(({ since }) => since ?? []);
    const window = new ForecastWindow();
    const waiting = this.#records.issued(series, from - MAX_LEAD, to + DELAY);
    let next = await waiting.next();
    let { learned } = before;
    const months = new Map<string, Month>();
    const corrected: IssuedForecast[] = [];
    for (let part = from; part < to; part += PART) {
      const usable = part + PART + DELAY;
      // Imported forecasts get the corrections that they would have had: those of what was learned before the part.
      for (; next.done !== true && next.value.issued < usable; next = await waiting.next()) {
        const forecast = next.value;
        if (forecast.isImported && forecast.issued >= before.until + DELAY) {
          const hour = lastHour(forecast.issued - REACH);
          const newest = new Map(
            [...observed.keys()].flatMap((number) => {
              const value = at(number, hour);
              return Number.isNaN(value) ? [] : [[number, value] as const];
            }),
          );
          const knowledge = { learned: learned.errors, chance: learned.chance, newest };
          const made = roundedForecast({ ...forecast, ...correct(forecast, station, knowledge) });
          corrected.push(made);
          window.add(made);
        } else window.add(forecast);
      }
      if (changes.some((change) => change >= part && change < part + PART)) learned = afterChange(learned);
      const finished = Array.from(hoursOf(part, part + PART), (time): FinishedHour => ({
        time,
        forecasts: window.of(time),
        observed: new Map([...observed.keys()].map((number) => [number, at(number, time)])),
        persisted: (number, issued) =>
          at(number, time - Math.ceil((time - issued + REACH) / MILLISECONDS.day) * MILLISECONDS.day),
      }));
      const outcome = learnPart(learned, finished, station);
      learned = outcome.learned;
      const name = new Date(part).toISOString().slice(0, 7);
      // oxlint-disable-next-line no-await-in-loop -- once for each month
      const month = months.get(name) ?? (await this.#month(series, name));
      months.set(name, month);
      if (part >= month.since) addAllScores(month.scores, outcome.scores);
      window.forget(part);
    }
    await this.#records.add(series, corrected);
    for (const [name, { scores, since }] of months)
      // oxlint-disable-next-line no-await-in-loop -- at most two months
      if (since < to) await this.#records.addScores(series, name, { scores, until: to }, since);
    await this.#records.putLearned(series, { learned, until: to, revision: before.revision });
  }

  async #month(series: ForecastSeries, name: string): Promise<Month> {
    const { until } = await this.#records.monthScores(series, name);
    return { since: until, scores: new Map() };
  }

  async #observed(station: Station, from: number, to: number): Promise<Series> {
    const batches: Series[] = [];
    for await (const batch of this.#observations.read({ stations: [station.number], from, to }))
      batches.push(batch);
    return concatenate(batches);
  }
}

/** The scores of a month that are not stored yet. */
interface Month {
  /** `MonthScores.until` of the stored scores. */
  readonly since: number;
  readonly scores: Map<number, readonly LeadScores[]>;
}

/** The forecasts of the hours that are not over yet. */
class ForecastWindow {
  readonly #byHour = new Map<number, ForecastOfHour[]>();

  add(forecast: IssuedForecast): void {
    for (const [index, time] of forecast.times.entries()) {
      if (leadClass(time - forecast.issued) < 0) continue;
      const found = this.#byHour.get(time);
      if (found === undefined) this.#byHour.set(time, [{ forecast, index }]);
      else found.push({ forecast, index });
    }
  }

  of(time: number): readonly ForecastOfHour[] {
    return this.#byHour.get(time) ?? [];
  }

  forget(before: number): void {
    for (const time of this.#byHour.keys()) if (time < before) this.#byHour.delete(time);
  }
}

/** The begin of the part of the solar day that contains a time. */
function startOfPart(time: number, longitude: number): number {
  const offset = Math.round((longitude / 15) * MILLISECONDS.hour);
  return Math.floor((time + offset) / PART) * PART - offset;
}

/** The whole hours in `[from, to)`. */
function hoursOf(from: number, to: number): Float64Array {
  const first = Math.ceil(from / MILLISECONDS.hour);
  const count = Math.max(0, Math.ceil(to / MILLISECONDS.hour) - first);
  return Float64Array.from({ length: count }, (_, index) => (first + index) * MILLISECONDS.hour);
}

function lastHour(time: number): number {
  return Math.floor(time / MILLISECONDS.hour) * MILLISECONDS.hour;
}
