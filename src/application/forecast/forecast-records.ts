import { type IssuedForecast, mergedForecast, uncorrected } from '#domain/forecast/forecast.js';
import {
  forecastIn,
  forecastOfVariable,
  forecastText,
  issuedIn,
  roundedForecast,
} from '#domain/forecast/forecast-text.js';
import { type Learned, NOTHING } from '#domain/forecast/learn.js';
import { MILLISECONDS } from '#domain/time.js';
import { dateOf } from '#domain/weather/damaged-data.js';
import { editRecord } from '../edit-record.js';
import type { RecordStore } from '../ports/record-store.js';
import { ISSUED_FORECASTS } from '../record-forms.js';
import { DamagedForecasts } from './damaged-forecasts.js';
import { addMonth, type MonthScores, NO_SCORES } from './month-scores.js';
import {
  firstIn,
  firstOf,
  type ForecastSeries,
  issuedOf,
  issueIn,
  learnedIn,
  learnedOf,
  learnedText,
  linesOf,
  readableLines,
  scoresIn,
  scoresOf,
  scoresText,
  SPAN,
  spanName,
  spanNumber,
} from './record-texts.js';

export type { ForecastSeries } from './record-texts.js';

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

/**
 * Stores issued forecasts, what was learned of them, and their scores. Every method may reject with STORE_UNAVAILABLE, and those that read
 * also with `DamagedForecasts`, unless they say something else.
 */
export class ForecastRecords {
  readonly #store: RecordStore;

  constructor(store: RecordStore) {
    this.#store = store;
  }

  /**
   * Adds forecasts. If one with the same time of issue is stored, an issued forecast replaces an imported one, and an imported one gets hours
   * and values of another imported one that it lacks. Nothing else changes, except that every forecast replaces a damaged one.
   *
   * @returns number of forecasts that have brought something new
   */
  async add(series: ForecastSeries, forecasts: readonly IssuedForecast[]): Promise<number> {
    return await this.#put(series, forecasts, (stored, one) => {
      if (!stored.isImported) return undefined;
      if (!one.isImported) return one;
      const merged = mergedForecast(stored, one);
      return merged && roundedForecast(uncorrected(merged));
    });
  }

  /** Replaces imported forecasts by the same ones with their corrections. An issued forecast is never changed. */
  async correctImported(series: ForecastSeries, corrected: readonly IssuedForecast[]): Promise<void> {
    await this.#put(series, corrected, (stored, one) => (stored.isImported ? one : undefined));
  }

  /**
   * @param replacing what replaces a stored forecast with the same time of issue; undefined if it stays
   * @returns number of forecasts that were added or have replaced others
   */
  async #put(
    series: ForecastSeries,
    forecasts: readonly IssuedForecast[],
    replacing: (stored: IssuedForecast, one: IssuedForecast) => IssuedForecast | undefined,
  ): Promise<number> {
    const bySpan = new Map<number, IssuedForecast[]>();
    for (const forecast of forecasts) {
      const span = Math.floor(forecast.issued / SPAN);
      bySpan.set(span, [...(bySpan.get(span) ?? []), forecast]);
    }
    let total = 0;
    for (const [span, own] of bySpan) {
      let added = 0;
      const edit = (text = '') => {
        const lines = linesOf(text);
        const stored = new Map(lines.map((line) => [issueIn(line, span), line]));
        added = 0;
        for (const one of own) {
          const line = stored.get(one.issued);
          const before = line === undefined ? undefined : readable(line);
          const next = before === undefined ? one : replacing(before, one);
          if (next === undefined) continue;
          stored.set(one.issued, forecastText(next));
          added += 1;
        }
        stored.delete(Number.NaN);
        const sorted = [...stored].toSorted(([a], [b]) => a - b);
        // Lines without a readable time come first, because the search for the newest forecast begins at the end.
        const unknown = lines.filter((line) => Number.isNaN(issueIn(line, span)));
        return {
          text: [...unknown, ...sorted.map(([, line]) => line)].join('\n'),
          time: sorted.at(-1)?.[0] ?? 0,
        };
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
   * The forecasts that were issued in `[from, to)`, in the order of their issue. Damaged ones are left out, so that learning goes on.
   *
   * @param from milliseconds since 1970-01-01T00:00:00Z
   */
  async *issued(series: ForecastSeries, from: number, to: number): AsyncGenerator<IssuedForecast> {
    for (let day = startOfDay(from); day < to; day += MILLISECONDS.day) {
      // oxlint-disable-next-line no-await-in-loop -- one day in memory at a time
      const records = await this.#store.records(`${issuedOf(series)}${dayName(day)}`);
      for (const { name, text } of records) {
        const span = spanNumber(name);
        for (const line of linesOf(text)) {
          const issued = issueIn(line, span);
          const forecast = issued >= from && issued < to ? readable(line) : undefined;
          if (forecast !== undefined) yield forecast;
        }
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
    const { value } = await this.#linesBefore(series, time, reach).next();
    if (value === undefined) return undefined;
    const { line, issued, span } = value;
    const sentence = (station: string) =>
      `The forecasts of station ${station} by ${series.provider} on ${dateOf(span * SPAN)} (UTC) are damaged and cannot be read.`;
    return read(series, sentence, () => {
      if (Number.isNaN(issued)) throw new Error('the time of issue is damaged');
      return only === undefined ? forecastIn(line) : forecastOfVariable(line, only);
    });
  }

  /** As `newest`, but without the forecasts that are damaged. */
  async newestReadable(
    series: ForecastSeries,
    time: number,
    reach: number,
  ): Promise<IssuedForecast | undefined> {
    for await (const { line, issued } of this.#linesBefore(series, time, reach)) {
      const forecast = Number.isNaN(issued) ? undefined : readable(line);
      if (forecast !== undefined) return forecast;
    }
    return undefined;
  }

  /** Time of issue of the newest forecast whose time of issue can be read. Its columns are not read. */
  async newestIssue(series: ForecastSeries, time: number, reach: number): Promise<number | undefined> {
    for await (const { issued } of this.#linesBefore(series, time, reach)) {
      if (!Number.isNaN(issued)) return issued;
    }
    return undefined;
  }

  /** The stored forecasts that were issued up to a time, and those whose time cannot be read, from the newest one on. */
  async *#linesBefore(
    series: ForecastSeries,
    time: number,
    reach: number,
  ): AsyncGenerator<StoredLine, undefined> {
    for (let span = Math.floor(time / SPAN); (span + 1) * SPAN > time - reach; span -= 1) {
      // oxlint-disable-next-line no-await-in-loop -- most forecasts are found in the first record
      const record = await this.#store.record(issuedOf(series) + spanName(span));
      for (const line of linesOf(record?.text ?? '').toReversed()) {
        const issued = issueIn(line, span);
        if (issued <= time - reach) return undefined;
        if (!(issued > time)) yield { line, issued, span };
      }
    }
    return undefined;
  }

  /** Time of issue of the first forecast that was ever stored; undefined if there is none. */
  async first(series: ForecastSeries): Promise<number | undefined> {
    const record = await this.#store.record(firstOf(series));
    const sentence = (station: string) =>
      `The time of the first forecast of station ${station} by ${series.provider} is damaged and cannot be read.`;
    return record && read(series, sentence, () => firstIn(record.text));
  }

  async learned(series: ForecastSeries): Promise<LearnedState> {
    const record = await this.#store.record(learnedOf(series));
    if (record === undefined) return NO_STATE;
    const sentence = (station: string) =>
      `What was learned of the forecasts of station ${station} by ${series.provider} is damaged and cannot be read.`;
    return { ...read(series, sentence, () => learnedIn(record.text)), revision: record.revision };
  }

  /**
   * Stores what was learned.
   *
   * @param state with the revision that was read before
   * @returns false if another process has learned in the meantime. Then nothing was stored
   */
  async putLearned(series: ForecastSeries, { learned, until, revision }: LearnedState): Promise<boolean> {
    const text = learnedText({ learned, until });
    const record = { name: learnedOf(series), key: null, revision, text, time: until };
    return (await this.#store.put([record])).length === 0;
  }

  /** The scores of a month; undefined if it has none. @param month `2026-11` */
  async monthScores(series: ForecastSeries, month: string): Promise<MonthScores | undefined> {
    const record = await this.#store.record(scoresOf(series) + month);
    return record && readScores(series, month, record.text);
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
        const edited = edit(text === undefined ? NO_SCORES : readScores(series, month, text));
        return edited && { text: scoresText(edited), time: edited.until };
      },
      SUBJECT,
    );
  }

  /** The scores of the months from `since` to `until`, both included, by month: `2026-11`. By default those of all months. */
  async scores(
    series: ForecastSeries,
    since = '',
    until = '9999-12',
  ): Promise<ReadonlyMap<string, MonthScores>> {
    const prefix = scoresOf(series);
    const records = await this.#store.records(prefix);
    return new Map(
      records.flatMap(({ name, text }) => {
        const month = name.slice(prefix.length);
        return month < since || month > until ? [] : [[month, readScores(series, month, text)] as const];
      }),
    );
  }

  /** Forgets what was learned, before the past is learned again. The scores stay. */
  async forgetLearned(series: ForecastSeries): Promise<void> {
    await this.#store.purge(learnedOf(series), NEVER);
  }

  /** Removes the issued forecasts of all stations. @param before milliseconds since 1970-01-01T00:00:00Z */
  async purge(before: number): Promise<void> {
    await this.#store.purge(ISSUED_FORECASTS, before);
  }

  /**
   * Removes the damaged forecasts of a record.
   *
   * @param hours of the record: `2026-11-28T06`
   */
  async removeDamaged(series: ForecastSeries, hours: string): Promise<void> {
    const name = issuedOf(series) + hours;
    let isEmpty = false;
    const edit = (text = '') => {
      const lines = readableLines(text, hours);
      const last = lines.at(-1);
      isEmpty = last === undefined;
      return last === undefined ? undefined : { text: lines.join('\n'), time: issuedIn(last) };
    };
    await editRecord(this.#store, name, edit, SUBJECT);
    if (isEmpty) await this.#store.purge(name, NEVER);
  }

  /** Stores the time of issue of the first forecast again after a damaged one was removed. */
  async putFirst(series: ForecastSeries, first: number): Promise<void> {
    const edit = (text: string | undefined) =>
      text === undefined ? { text: String(first), time: first } : undefined;
    await editRecord(this.#store, firstOf(series), edit, SUBJECT);
  }

  /** Removes the time of issue of the first forecast, or the scores of a month. @param month `2026-11`; undefined for the former */
  async remove(series: ForecastSeries, month?: string): Promise<void> {
    await this.#store.purge(month === undefined ? firstOf(series) : scoresOf(series) + month, NEVER);
  }
}

interface StoredLine {
  readonly line: string;
  /** Time of issue in milliseconds since 1970-01-01T00:00:00Z; NaN if it cannot be read. */
  readonly issued: number;
  /** Number of the record. */
  readonly span: number;
}

function readable(line: string): IssuedForecast | undefined {
  try {
    return forecastIn(line);
  } catch {
    return undefined;
  }
}

function read<T>({ station }: ForecastSeries, sentence: (station: string) => string, work: () => T): T {
  try {
    return work();
  } catch {
    throw new DamagedForecasts(sentence, station);
  }
}

function readScores(series: ForecastSeries, month: string, text: string): MonthScores {
  const sentence = (station: string) =>
    `The scores of the forecasts of station ${station} by ${series.provider} in ${month} are damaged and cannot be read.`;
  return read(series, sentence, () => scoresIn(text, month));
}

const startOfDay = (time: number) => Math.floor(time / MILLISECONDS.day) * MILLISECONDS.day;
const dayName = (time: number) => new Date(time).toISOString().slice(0, 10);
