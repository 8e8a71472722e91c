import type { IssuedForecast } from '#domain/forecast/forecast.js';
import { forecastIn, forecastOfVariable, forecastText, issuedIn } from '#domain/forecast/forecast-text.js';
import { type Learned, NOTHING } from '#domain/forecast/learn.js';
import { MILLISECONDS } from '#domain/time.js';
import { editRecord } from '../edit-record.js';
import type { RecordStore } from '../ports/record-store.js';
import { forecastRecordsOf, ISSUED_FORECASTS } from '../record-forms.js';
import { addMonth, type MonthScores, NO_SCORES } from './month-scores.js';

/** The forecasts of a station by one provider. */
export interface ForecastSeries {
  /** `Station.number`. */
  readonly station: number;
  /** Name of the provider: `open-meteo`. */
  readonly provider: string;
}

/**
 * Names of the records of a series. The forecasts that were issued within six hours are one record, so that a new one rewrites little, and a
 * year has few records.
 */
const issuedOf = ({ station, provider }: ForecastSeries) =>
  `${forecastRecordsOf(station).issued}${provider}/`;
const recordsOf = ({ station, provider }: ForecastSeries) =>
  `${forecastRecordsOf(station).learned}${provider}/`;
const firstOf = (series: ForecastSeries) => `${recordsOf(series)}first`;
const learnedOf = (series: ForecastSeries) => `${recordsOf(series)}learned/`;
const scoresOf = (series: ForecastSeries) => `${recordsOf(series)}scores/`;
/** Milliseconds of one record of issued forecasts. */
const SPAN = 6 * MILLISECONDS.hour;
/** A time that no record reaches. */
const NEVER = Number.MAX_SAFE_INTEGER;
const SUBJECT = 'forecasts';

/** What was learned of a series, and until when. */
export interface LearnedState {
  readonly learned: Learned;
  /** End of the last learned part of a day, in milliseconds since 1970-01-01T00:00:00Z; -Infinity if nothing was learned. */
  readonly until: number;
  /** Revision of the record: another process has learned in the meantime if it has changed. */
  readonly revision: number;
}

const NO_STATE: LearnedState = { learned: NOTHING, until: -Infinity, revision: 0 };

/** Stores issued forecasts, what was learned of them, and their scores. Every method may reject with STORE_UNAVAILABLE. */
export class ForecastRecords {
  readonly #store: RecordStore;

  constructor(store: RecordStore) {
    this.#store = store;
  }

  /**
   * Adds forecasts. A forecast with the time of issue of a stored one replaces it only if the stored one was imported.
   *
   * @returns number of forecasts that were not stored before
   */
  async add(series: ForecastSeries, forecasts: readonly IssuedForecast[]): Promise<number> {
    const bySpan = new Map<number, IssuedForecast[]>();
    for (const forecast of forecasts) {
      const span = Math.floor(forecast.issued / SPAN);
      bySpan.set(span, [...(bySpan.get(span) ?? []), forecast]);
    }
    let total = 0;
    for (const [span, own] of bySpan) {
      let added = 0;
      const edit = (text = '') => {
        const stored = new Map(forecastsIn(text).map((one) => [one.issued, one]));
        added = own.filter(({ issued }) => !stored.has(issued)).length;
        for (const one of own) if (stored.get(one.issued)?.isImported !== false) stored.set(one.issued, one);
        const sorted = [...stored.values()].toSorted((a, b) => a.issued - b.issued);
        return { text: sorted.map(forecastText).join('\n'), time: sorted.at(-1)?.issued ?? 0 };
      };
      // oxlint-disable-next-line no-await-in-loop -- one record after the other, so that memory is bounded
      await editRecord(this.#store, issuedOf(series) + spanName(span), edit, SUBJECT);
      total += added;
    }
    const first = forecasts.reduce((min, { issued }) => Math.min(min, issued), Infinity);
    const isEarlier = (text: string | undefined) => text === undefined || first < Number(text);
    if (first !== Infinity)
      await editRecord(
        this.#store,
        firstOf(series),
        (text) => (isEarlier(text) ? { text: String(first), time: first } : undefined),
        SUBJECT,
      );
    return total;
  }

  /**
   * The forecasts that were issued in `[from, to)`, in the order of their issue.
   *
   * @param from milliseconds since 1970-01-01T00:00:00Z
   */
  async *issued(series: ForecastSeries, from: number, to: number): AsyncGenerator<IssuedForecast> {
    for (let day = startOfDay(from); day < to; day += MILLISECONDS.day) {
      // oxlint-disable-next-line no-await-in-loop -- one day in memory at a time
      const records = await this.#store.records(`${issuedOf(series)}${dayName(day)}`);
      for (const { text } of records)
        for (const line of text.split('\n')) {
          const issued = issuedIn(line);
          if (issued >= from && issued < to) yield forecastIn(line);
        }
    }
  }

  /**
   * The newest forecast that was issued up to a time.
   *
   * @param reach milliseconds before the time that are searched
   * @param only number of the only variable whose columns are read; by default all are
   */
  async newest(
    series: ForecastSeries,
    time: number,
    reach: number,
    only?: number,
  ): Promise<IssuedForecast | undefined> {
    const line = await this.#newestLine(series, time, reach);
    if (line === undefined) return undefined;
    return only === undefined ? forecastIn(line) : forecastOfVariable(line, only);
  }

  /** Time of issue of `newest`. */
  async newestIssue(series: ForecastSeries, time: number, reach: number): Promise<number | undefined> {
    const line = await this.#newestLine(series, time, reach);
    return line === undefined ? undefined : issuedIn(line);
  }

  async #newestLine(series: ForecastSeries, time: number, reach: number): Promise<string | undefined> {
    for (let span = Math.floor(time / SPAN); (span + 1) * SPAN > time - reach; span -= 1) {
      // oxlint-disable-next-line no-await-in-loop -- most forecasts are found in the first record
      const record = await this.#store.record(issuedOf(series) + spanName(span));
      // Only the line that is wanted is read, because a line has thousands of numbers.
      const line = record?.text.split('\n').findLast((one) => issuedIn(one) <= time);
      if (line !== undefined) return issuedIn(line) > time - reach ? line : undefined;
    }
    return undefined;
  }

  /** Time of issue of the first forecast that was ever stored; undefined if there is none. */
  async first(series: ForecastSeries): Promise<number | undefined> {
    const record = await this.#store.record(firstOf(series));
    return record && Number(record.text);
  }

  async learned(series: ForecastSeries): Promise<LearnedState> {
    const record = await this.#store.record(learnedOf(series));
    if (record === undefined) return NO_STATE;
    const { errors, chance, until } = JSON.parse(record.text) as StoredState;
    return { learned: { errors: new Map(errors), chance }, until, revision: record.revision };
  }

  /**
   * Stores what was learned.
   *
   * @param state with the revision that was read before
   * @returns false if another process has learned in the meantime. Then nothing was stored
   */
  async putLearned(series: ForecastSeries, { learned, until, revision }: LearnedState): Promise<boolean> {
    const stored: StoredState = { errors: [...learned.errors], chance: learned.chance, until };
    const record = {
      name: learnedOf(series),
      key: null,
      revision,
      text: JSON.stringify(stored),
      time: until,
    };
    return (await this.#store.put([record])).length === 0;
  }

  /** The scores of a month; undefined if it has none. @param month `2026-11` */
  async monthScores(series: ForecastSeries, month: string): Promise<MonthScores | undefined> {
    const record = await this.#store.record(scoresOf(series) + month);
    return record && scoresIn(record.text);
  }

  /**
   * Adds to the scores of a month. Does nothing if the stored scores do not end where the added ones begin, because another process, or
   * this one before it was killed, has added them already.
   *
   * @param month `2026-11`
   * @param since `MonthScores.until` of the stored scores, as it was read before
   */
  async addScores(series: ForecastSeries, month: string, added: MonthScores, since: number): Promise<void> {
    await this.#editScores(series, month, (stored) =>
      stored.until === since ? addMonth(stored, added) : undefined,
    );
  }

  /**
   * Replaces the scores of a month. Does nothing if another process has changed them.
   *
   * @param month `2026-11`
   * @param known the stored scores, as they were read before
   */
  async replaceScores(
    series: ForecastSeries,
    month: string,
    scores: MonthScores,
    known: MonthScores,
  ): Promise<void> {
    await this.#editScores(series, month, (stored) =>
      stored.until === known.until && stored.digest === known.digest ? scores : undefined,
    );
  }

  async #editScores(
    series: ForecastSeries,
    month: string,
    edit: (stored: MonthScores) => MonthScores | undefined,
  ): Promise<void> {
    await editRecord(
      this.#store,
      scoresOf(series) + month,
      (text) => {
        const edited = edit(text === undefined ? NO_SCORES : scoresIn(text));
        if (edited === undefined) return undefined;
        const stored: StoredMonth = { ...edited, scores: [...edited.scores] };
        return { text: JSON.stringify(stored), time: edited.until };
      },
      SUBJECT,
    );
  }

  /** The scores of all months, by month: `2026-11`. */
  async scores(series: ForecastSeries): Promise<ReadonlyMap<string, MonthScores>> {
    const prefix = scoresOf(series);
    const records = await this.#store.records(prefix);
    return new Map(records.map(({ name, text }) => [name.slice(prefix.length), scoresIn(text)]));
  }

  /** Forgets what was learned, before the past is learned again. The scores stay. */
  async forgetLearned(series: ForecastSeries): Promise<void> {
    await this.#store.purge(learnedOf(series), NEVER);
  }

  /** Removes the issued forecasts of all stations. @param before milliseconds since 1970-01-01T00:00:00Z */
  async purge(before: number): Promise<void> {
    await this.#store.purge(ISSUED_FORECASTS, before);
  }
}

type ValueOf<M> = M extends ReadonlyMap<number, infer V> ? V : never;

interface StoredState {
  readonly errors: readonly (readonly [number, ValueOf<Learned['errors']>])[];
  readonly chance: Learned['chance'];
  readonly until: number;
}

interface StoredMonth extends Omit<MonthScores, 'scores'> {
  readonly scores: readonly (readonly [number, ValueOf<MonthScores['scores']>])[];
}

function scoresIn(text: string): MonthScores {
  const month = JSON.parse(text) as StoredMonth;
  return { ...month, scores: new Map(month.scores) };
}

function forecastsIn(text: string): IssuedForecast[] {
  return text === '' ? [] : text.split('\n').map(forecastIn);
}

const startOfDay = (time: number) => Math.floor(time / MILLISECONDS.day) * MILLISECONDS.day;
const dayName = (time: number) => new Date(time).toISOString().slice(0, 10);
const spanName = (span: number) => new Date(span * SPAN).toISOString().slice(0, 13);
