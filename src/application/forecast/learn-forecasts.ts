import { correct } from '#domain/forecast/correct.js';
import type { IssuedForecast } from '#domain/forecast/forecast.js';
import { roundedForecast } from '#domain/forecast/forecast-text.js';
import { afterChange, learnPart } from '#domain/forecast/learn.js';
import { MAX_LEAD, PART, startOfPart } from '#domain/forecast/leads.js';
import { MILLISECONDS } from '#domain/time.js';
import { periodsOf } from '#domain/weather/station-history.js';
import { REACH } from '#domain/weather/summaries/at-times.js';
import type { Station } from '#domain/weather/station.js';
import type { ObservationStore } from '../ports/observation-store.js';
import { DamagedForecasts } from './damaged-forecasts.js';
import { addMonth, monthOf, type MonthScores, NO_SCORES, scoredMonth } from './month-scores.js';
import type { ForecastRecords, ForecastSeries, LearnedState } from './forecast-records.js';
import { ForecastWindow } from './forecast-window.js';
import { ObservedSpan } from './observed-span.js';

/** Milliseconds after the end of a part of a day until it is learned. Then late reports are there, and their quality is checked. */
const DELAY = 90 * MILLISECONDS.minute;
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
   * Learns, and adds to the scores of months.
   *
   * @param now milliseconds since 1970-01-01T00:00:00Z
   * @returns what was learned so far
   */
  async execute(
    station: Station,
    series: ForecastSeries,
    now: number,
    signal?: AbortSignal,
  ): Promise<LearnedState> {
    return await this.#learnUntil(station, series, { now, isScored: true }, signal);
  }

  /** Learns everything again, after forecasts of the past were imported. Leaves the scores to `ScoreForecasts`. */
  async again(
    station: Station,
    series: ForecastSeries,
    now: number,
    signal?: AbortSignal,
  ): Promise<LearnedState> {
    await this.#records.forgetLearned(series);
    return await this.#learnUntil(station, series, { now, isScored: false }, signal);
  }

  async #learnUntil(
    station: Station,
    series: ForecastSeries,
    { now, isScored }: { readonly now: number; readonly isScored: boolean },
    signal?: AbortSignal,
  ): Promise<LearnedState> {
    const end = startOfPart(now - DELAY, station.longitude);
    let state = await this.#records.learned(series);
    if (state.until > now + MILLISECONDS.day) {
      // The clock was wrong, so that hours were learned before they were over.
      await this.#records.forgetLearned(series);
      state = await this.#records.learned(series);
    }
    while (state.until < end) {
      if (signal?.aborted === true) break;
      const from = state.until === -Infinity ? await this.#begin(station, series) : state.until;
      if (from === undefined || from >= end) break;
      // oxlint-disable-next-line no-await-in-loop -- each part needs what was learned before it
      await this.#learn(station, series, state, { from, to: Math.min(end, from + CHUNK), isScored });
      // oxlint-disable-next-line no-await-in-loop -- as above; another process may have learned the same
      state = await this.#records.learned(series);
    }
    return state;
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
    { from, to, isScored }: { readonly from: number; readonly to: number; readonly isScored: boolean },
  ): Promise<void> {
    const span = await ObservedSpan.read(this.#observations, station, from, to + DELAY);
    const changes = periodsOf(station).flatMap(({ since }) => since ?? []);
    const window = new ForecastWindow();
    const waiting = this.#records.issued(series, from - MAX_LEAD, to + DELAY);
    let next = await waiting.next();
    let { learned } = before;
    const months = new Map<string, { readonly since: number; added: MonthScores }>();
    const corrected: IssuedForecast[] = [];
    for (let part = from; part < to; part += PART) {
      const usable = part + PART + DELAY;
      // Imported forecasts get the corrections that they would have had: those of what was learned before the part.
      for (; next.done !== true && next.value.issued < usable; next = await waiting.next()) {
        const forecast = next.value;
        if (forecast.isImported && forecast.issued >= before.until + DELAY) {
          const newest = span.at(lastHour(forecast.issued - REACH));
          const knowledge = { learned: learned.errors, chance: learned.chance, newest };
          const made = roundedForecast({ ...forecast, ...correct(forecast, station, knowledge) });
          corrected.push(made);
          window.add(made);
        } else window.add(forecast);
      }
      if (changes.some((change) => change >= part && change < part + PART)) learned = afterChange(learned);
      const finished = span.finished(part, part + PART, (time) => window.of(time));
      learned = learnPart(learned, finished, station);
      if (isScored)
        for (const name of new Set(finished.map(({ time }) => monthOf(time)))) {
          // oxlint-disable-next-line no-await-in-loop -- once for each month
          const month = months.get(name) ?? (await this.#month(series, name));
          months.set(name, month);
          const added = finished.filter(({ time }) => monthOf(time) === name && time >= month.since);
          if (added.length > 0) month.added = addMonth(month.added, scoredMonth(added, to));
        }
      window.forget(part);
    }
    await this.#records.correctImported(series, corrected);
    for (const [name, { added, since }] of months)
      // oxlint-disable-next-line no-await-in-loop -- at most two months
      if (added !== NO_SCORES) await this.#records.addScores(series, name, added, since);
    await this.#records.putLearned(series, { learned, until: to, revision: before.revision });
  }

  /**
   * A month to add scores to, with the end of the hours that its stored scores include. To damaged scores nothing is added, so that
   * learning goes on: `ScoreForecasts` computes them again when they have been removed.
   */
  async #month(series: ForecastSeries, name: string) {
    try {
      const { until } = (await this.#records.monthScores(series, name)) ?? NO_SCORES;
      return { since: until, added: NO_SCORES };
    } catch (error) {
      if (!(error instanceof DamagedForecasts)) throw error;
      return { since: Infinity, added: NO_SCORES };
    }
  }
}

function lastHour(time: number): number {
  return Math.floor(time / MILLISECONDS.hour) * MILLISECONDS.hour;
}
