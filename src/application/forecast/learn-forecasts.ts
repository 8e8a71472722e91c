import { correct } from '#domain/forecast/correct.js';
import type { IssuedForecast } from '#domain/forecast/forecast.js';
import { roundedForecast } from '#domain/forecast/forecast-text.js';
import { type FinishedHour, type ForecastOfHour, learnPart, type Scores } from '#domain/forecast/learn.js';
import { leadClass, PART } from '#domain/forecast/leads.js';
import { observedHours, REACH } from '#domain/forecast/observed-hours.js';
import { addScores, type LeadScores } from '#domain/forecast/verification.js';
import { MILLISECONDS } from '#domain/time.js';
import { concatenate } from '#domain/weather/merge-series.js';
import type { Series } from '#domain/weather/series.js';
import { reportingIntervalAt } from '#domain/weather/station-history.js';
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
    let state = await this.#records.learned(series);
    const extent = await this.#records.extent(series);
    if (extent === undefined) return state;
    const begin = Math.max(state.until, startOfPart(extent.first, station.longitude));
    const end = startOfPart(now - DELAY, station.longitude);
    for (let from = begin; from < end; from += CHUNK) {
      if (signal?.aborted === true) break;
      // oxlint-disable-next-line no-await-in-loop -- each part needs what was learned before it
      state = await this.#learn(station, series, state, { from, to: Math.min(end, from + CHUNK) });
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

  async #learn(
    station: Station,
    series: ForecastSeries,
    before: LearnedState,
    { from, to }: { readonly from: number; readonly to: number },
  ): Promise<LearnedState> {
    const hours = hoursOf(from - MAX_LEAD - MILLISECONDS.day, to + DELAY);
    const observed = observedHours(
      await this.#observed(station, from - MAX_LEAD - 2 * MILLISECONDS.day, to + DELAY + REACH + 1),
      hours,
      reportingIntervalAt(station, from),
    );
    const first = hours[0] as number;
    const at = (number: number, time: number) =>
      observed.get(number)?.[Math.round((time - first) / MILLISECONDS.hour)] ?? Number.NaN;
    const window = new ForecastWindow();
    const waiting = this.#records.issued(series, from - MAX_LEAD, to + DELAY);
    let next = await waiting.next();
    let { learned } = before;
    const scores = new Map<string, Map<number, readonly LeadScores[]>>();
    const corrected: IssuedForecast[] = [];
    for (let part = from; part < to; part += PART) {
      const usable = part + PART + DELAY;
      // Imported forecasts get the corrections that they would have had: those of what was learned before the part.
      for (; next.done !== true && next.value.issued < usable; next = await waiting.next()) {
        const forecast = next.value;
        if (forecast.isImported && forecast.issued >= before.until + DELAY) {
          const hour = lastHour(forecast.issued - REACH);
          const newest = new Map([...observed.keys()].map((number) => [number, at(number, hour)]));
          for (const [number, value] of newest) if (Number.isNaN(value)) newest.delete(number);
          const made = roundedForecast({
            ...forecast,
            ...correct(forecast, station, { learned: learned.errors, chance: learned.chance, newest }),
          });
          corrected.push(made);
          window.add(made);
        } else window.add(forecast);
      }
      const finished = Array.from(hoursOf(part, part + PART), (time): FinishedHour => ({
        time,
        forecasts: window.of(time),
        observed: new Map([...observed.keys()].map((number) => [number, at(number, time)])),
        persisted: (number, issued) =>
          at(number, time - Math.ceil((time - issued + REACH) / MILLISECONDS.day) * MILLISECONDS.day),
      }));
      const outcome = learnPart(learned, finished, station);
      learned = outcome.learned;
      addToMonth(scores, new Date(part).toISOString().slice(0, 7), outcome.scores);
      window.forget(part);
    }
    await this.#records.add(series, corrected);
    for (const [month, own] of scores)
      // oxlint-disable-next-line no-await-in-loop -- at most two months
      await this.#records.addScores(series, month, own);
    const state = { learned, until: to };
    await this.#records.putLearned(series, state);
    return state;
  }

  async #observed(station: Station, from: number, to: number): Promise<Series> {
    const batches: Series[] = [];
    for await (const batch of this.#observations.read({ stations: [station.number], from, to }))
      batches.push(batch);
    return concatenate(batches);
  }
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

function addToMonth(
  all: Map<string, Map<number, readonly LeadScores[]>>,
  month: string,
  scores: Scores,
): void {
  const own = all.get(month) ?? new Map<number, readonly LeadScores[]>();
  for (const [number, leads] of scores) {
    const before = own.get(number);
    if (before === undefined) own.set(number, leads);
    else for (const [lead, one] of leads.entries()) addScores(before[lead] as LeadScores, one);
  }
  all.set(month, own);
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
