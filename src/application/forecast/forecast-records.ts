import type { IssuedForecast } from '#domain/forecast/forecast.js';
import { forecastIn, forecastText } from '#domain/forecast/forecast-text.js';
import { type Learned, NOTHING, type Scores } from '#domain/forecast/learn.js';
import { addScores } from '#domain/forecast/verification.js';
import { MILLISECONDS } from '#domain/time.js';
import type { RecordStore, StoredRecord } from '../ports/record-store.js';

/** The forecasts of a station by one provider. */
export interface ForecastSeries {
  /** `Station.number`. */
  readonly station: number;
  /** Name of the provider: `open-meteo`. */
  readonly provider: string;
}

/**
 * Names of the records in which forecasts are stored. The forecasts that were issued within six hours are one record, so that a new one
 * rewrites little, and a year has few records.
 */
const ISSUED = 'forecast/issued/';
const prefixOf = ({ station, provider }: ForecastSeries) => `${ISSUED}${station}/${provider}/`;
const learnedOf = ({ station, provider }: ForecastSeries) => `forecast/learned/${station}/${provider}/`;
const scoresOf = ({ station, provider }: ForecastSeries) => `forecast/scores/${station}/${provider}/`;
/** Milliseconds of one record of issued forecasts. */
const SPAN = 6 * MILLISECONDS.hour;
/** A time that no record reaches. */
export const NEVER = Number.MAX_SAFE_INTEGER;
/** Maximum number of attempts to write while another process writes the same record. */
const MAX_ATTEMPTS = 5;

/** What was learned of a series, and until when. */
export interface LearnedState {
  readonly learned: Learned;
  /** End of the last learned part of a day, in milliseconds since 1970-01-01T00:00:00Z; -Infinity if nothing was learned. */
  readonly until: number;
}

const NO_STATE: LearnedState = { learned: NOTHING, until: -Infinity };

/** Stores issued forecasts, what was learned of them, and their scores. Every method may reject with STORE_UNAVAILABLE. */
export class ForecastRecords {
  readonly #store: RecordStore;

  constructor(store: RecordStore) {
    this.#store = store;
  }

  /**
   * Adds forecasts. A forecast with the time of issue of a stored one replaces it only if the stored one was imported.
   *
   * @param now milliseconds since 1970-01-01T00:00:00Z
   * @returns number of forecasts that were not stored before
   */
  async add(series: ForecastSeries, forecasts: readonly IssuedForecast[]): Promise<number> {
    const bySpan = new Map<number, IssuedForecast[]>();
    for (const forecast of forecasts) {
      const span = Math.floor(forecast.issued / SPAN);
      bySpan.set(span, [...(bySpan.get(span) ?? []), forecast]);
    }
    let added = 0;
    for (const [span, own] of bySpan) {
      const name = prefixOf(series) + spanName(span);
      // oxlint-disable-next-line no-await-in-loop -- one record after the other, so that memory is bounded
      await this.#edit(name, (text) => {
        const stored = new Map(forecastsIn(text).map((one) => [one.issued, one]));
        added += own.filter(({ issued }) => !stored.has(issued)).length;
        for (const one of own) if (stored.get(one.issued)?.isImported !== false) stored.set(one.issued, one);
        const sorted = [...stored.values()].toSorted((a, b) => a.issued - b.issued);
        return { text: sorted.map(forecastText).join('\n'), time: sorted.at(-1)?.issued ?? 0 };
      });
    }
    return added;
  }

  /**
   * The forecasts that were issued in `[from, to)`, in the order of their issue.
   *
   * @param from milliseconds since 1970-01-01T00:00:00Z
   */
  async *issued(series: ForecastSeries, from: number, to: number): AsyncGenerator<IssuedForecast> {
    for (let day = startOfDay(from); day < to; day += MILLISECONDS.day) {
      const records = await this.#store.records(`${prefixOf(series)}${dayName(day)}`);
      for (const { text } of records)
        for (const forecast of forecastsIn(text))
          if (forecast.issued >= from && forecast.issued < to) yield forecast;
    }
  }

  /** The newest forecast that was issued up to a time. @param reach milliseconds before the time that are searched */
  async newest(series: ForecastSeries, time: number, reach: number): Promise<IssuedForecast | undefined> {
    for (let day = startOfDay(time); day > time - reach - MILLISECONDS.day; day -= MILLISECONDS.day) {
      // oxlint-disable-next-line no-await-in-loop -- most forecasts are found on the first day
      const records = await this.#store.records(`${prefixOf(series)}${dayName(day)}`);
      for (const { text } of records.toReversed()) {
        const found = forecastsIn(text).findLast(({ issued }) => issued <= time);
        if (found !== undefined) return found.issued > time - reach ? found : undefined;
      }
    }
    return undefined;
  }

  /** The times of issue of the first and the last forecast; undefined if there is none. */
  async extent(
    series: ForecastSeries,
  ): Promise<{ readonly first: number; readonly last: number } | undefined> {
    const records = await this.#store.records(prefixOf(series));
    const [first, last] = [records[0], records.at(-1)];
    if (first === undefined || last === undefined) return undefined;
    return {
      first: forecastsIn(first.text)[0]?.issued ?? first.time,
      last: forecastsIn(last.text).at(-1)?.issued ?? last.time,
    };
  }

  async learned(series: ForecastSeries): Promise<LearnedState> {
    const record = await this.#store.record(learnedOf(series));
    if (record === undefined) return NO_STATE;
    const { errors, chance, until } = JSON.parse(record.text) as StoredState;
    return { learned: { errors: new Map(errors), chance }, until };
  }

  /** Overwrites what was learned. */
  async putLearned(series: ForecastSeries, { learned, until }: LearnedState): Promise<void> {
    const stored: StoredState = { errors: [...learned.errors], chance: learned.chance, until };
    await this.#edit(learnedOf(series), () => ({ text: JSON.stringify(stored), time: until }));
  }

  /** Adds to the scores of a month. @param month `2026-11` @param replaces whether the stored scores are forgotten */
  async addScores(series: ForecastSeries, month: string, scores: Scores, replaces = false): Promise<void> {
    await this.#edit(scoresOf(series) + month, (text) => {
      const sums = new Map(replaces || text === '' ? [] : (JSON.parse(text) as StoredScores));
      for (const [number, own] of scores) {
        const before = sums.get(number);
        if (before === undefined) sums.set(number, own);
        else for (const [lead, one] of own.entries()) addScores(before[lead] as typeof one, one);
      }
      return { text: JSON.stringify([...sums]), time: Date.parse(`${month}-01T00:00:00Z`) };
    });
  }

  /** The scores of months, by month: `2026-11`. */
  async scores(series: ForecastSeries): Promise<ReadonlyMap<string, Scores>> {
    const prefix = scoresOf(series);
    const records = await this.#store.records(prefix);
    return new Map(
      records.map(({ name, text }) => [name.slice(prefix.length), new Map(JSON.parse(text) as StoredScores)]),
    );
  }

  /** Forgets what was learned, and the scores, before the past is learned again. */
  async forgetLearned(series: ForecastSeries): Promise<void> {
    await this.#store.purge(scoresOf(series), NEVER);
    await this.#store.purge(learnedOf(series), NEVER);
  }

  /** Removes issued forecasts. @param before milliseconds since 1970-01-01T00:00:00Z */
  async purge(series: ForecastSeries, before: number): Promise<void> {
    await this.#store.purge(prefixOf(series), before);
  }

  async #edit(
    name: string,
    edit: (text: string) => { readonly text: string; readonly time: number },
  ): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      // oxlint-disable-next-line no-await-in-loop -- an attempt follows a refused one
      const stored: StoredRecord | undefined = await this.#store.record(name);
      const { text, time } = edit(stored?.text ?? '');
      // oxlint-disable-next-line no-await-in-loop -- as above
      const refused = await this.#store.put([
        { name, key: null, revision: stored?.revision ?? 0, text, time },
      ]);
      if (refused.length === 0) return;
      if (attempt === MAX_ATTEMPTS)
        throw new Error('another process writes the same forecasts again and again');
    }
  }
}

interface StoredState {
  readonly errors: readonly (readonly [
    number,
    Learned['errors'] extends ReadonlyMap<number, infer E> ? E : never,
  ])[];
  readonly chance: Learned['chance'];
  readonly until: number;
}

type StoredScores = [number, Scores extends ReadonlyMap<number, infer S> ? S : never][];

function forecastsIn(text: string): IssuedForecast[] {
  return text === '' ? [] : text.split('\n').map(forecastIn);
}

const startOfDay = (time: number) => Math.floor(time / MILLISECONDS.day) * MILLISECONDS.day;
const dayName = (time: number) => new Date(time).toISOString().slice(0, 10);
const spanName = (span: number) => new Date(span * SPAN).toISOString().slice(0, 13);
