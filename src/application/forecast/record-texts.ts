import type { ForecastOrder, OrderState } from '#domain/forecast/forecast-order.js';
import { forecastIn, issuedIn } from '#domain/forecast/forecast-text.js';
import { firstFault, formFault } from '#domain/forecast/form-fault.js';
import { type Learned, NOTHING } from '#domain/forecast/learn.js';
import { NOTHING_LEARNED } from '#domain/forecast/learned-errors.js';
import { LEADS } from '#domain/forecast/leads.js';
import { noScores } from '#domain/forecast/verification.js';
import { MILLISECONDS } from '#domain/time.js';
import { FORECAST_ORDERS, forecastRecordsOf, ISSUED_FORECASTS, LEARNED_FORECASTS } from '../record-forms.js';
import { type MonthScores, monthOf, spanOfMonth } from './month-scores.js';

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
export const issuedOf = ({ station, provider }: ForecastSeries) =>
  `${forecastRecordsOf(station).issued}${provider}/`;
const recordsOf = ({ station, provider }: ForecastSeries) =>
  `${forecastRecordsOf(station).learned}${provider}/`;
export const firstOf = (series: ForecastSeries) => `${recordsOf(series)}first`;
export const learnedOf = (series: ForecastSeries) => `${recordsOf(series)}learned/`;
export const scoresOf = (series: ForecastSeries) => `${recordsOf(series)}scores/`;
export const orderOf = (station: number) => `${forecastRecordsOf(station).order}order`;
export const stateOf = (station: number) => `${forecastRecordsOf(station).learned}state`;

/** Milliseconds of one record of issued forecasts. */
export const SPAN = 6 * MILLISECONDS.hour;
/** The end of the name of a record of issued forecasts: `2026-11-28T06`. */
export const spanName = (span: number) => new Date(span * SPAN).toISOString().slice(0, 13);

/** What a record of forecasts has: issued forecasts, what was learned, the scores of a month, the time of the first forecast, an order. */
export type ForecastRecordKind = 'issued' | 'learned' | 'scores' | 'first' | 'order' | 'state';

/** What the name of a record says. */
export interface NamedRecord {
  readonly kind: ForecastRecordKind;
  /** `Station.number`. */
  readonly station: number;
  /** Null for an order and its state. */
  readonly provider: string | null;
  /** The hours of issued forecasts, `2026-11-28T06`, or the month of scores, `2026-11`; otherwise empty. */
  readonly part: string;
}

/** What the name of a stored record says; undefined if the record is not one of forecasts. */
export function forecastRecordNamed(name: string): NamedRecord | undefined {
  const [area, number, ...rest] = name.split('/');
  const [first = '', second = '', third = ''] = rest;
  const station = Number(number);
  const ofSeries = (kind: ForecastRecordKind, part = ''): NamedRecord => ({
    kind,
    station,
    provider: first,
    part,
  });
  if (`${area}/` === ISSUED_FORECASTS) return ofSeries('issued', second);
  if (`${area}/` === FORECAST_ORDERS) return { kind: 'order', station, provider: null, part: '' };
  if (`${area}/` !== LEARNED_FORECASTS) return undefined;
  if (rest.length === 1) return { kind: 'state', station, provider: null, part: '' };
  if (second === 'scores') return ofSeries('scores', third);
  return second === 'learned' || second === 'first' ? ofSeries(second) : undefined;
}

/** A fault of a record. */
export interface RecordFault {
  /** Time of issue of the damaged forecast, in milliseconds since 1970-01-01T00:00:00Z; undefined if it is unknown, or not a forecast. */
  readonly issued?: number | undefined;
  /** The fault, as the end of a sentence about the record. */
  readonly reason: string;
}

const UNREADABLE = 'cannot be read';

/** What is wrong with the text of a record; empty if nothing is. Each damaged forecast of a record is a fault of its own. */
export function faultsOf({ kind, station, part }: NamedRecord, text: string): readonly RecordFault[] {
  if (kind === 'issued') return faultsOfIssued(part, text);
  const read = {
    learned: learnedIn,
    scores: (one: string) => scoresIn(one, part),
    first: firstIn,
    order: (one: string) => orderIn(one, station),
    state: orderStateIn,
  }[kind];
  const reason = faultOf(() => read(text));
  return reason === undefined ? [] : [{ reason }];
}

function faultsOfIssued(part: string, text: string): readonly RecordFault[] {
  const span = spanNumber(part);
  let before = -Infinity;
  return linesOf(text).flatMap((line) => {
    const issued = issuedIn(line);
    const reason =
      faultOf(() => readLine(line, span)) ?? (issued > before ? undefined : 'is not in the order of time');
    if (issued > before) before = issued;
    return reason === undefined ? [] : [{ reason, ...(!Number.isNaN(issued) && { issued }) }];
  });
}

/** The lines of a record of issued forecasts that can be read, in the order of their issue. @param part the hours of the record */
export function readableLines(text: string, part: string): readonly string[] {
  const byIssue = new Map<number, string>();
  const span = spanNumber(part);
  for (const line of linesOf(text))
    if (faultOf(() => readLine(line, span)) === undefined) byIssue.set(issuedIn(line), line);
  return [...byIssue].toSorted(([a], [b]) => a - b).map(([, line]) => line);
}

/**
 * The time of issue of a line, without reading its columns. NaN if it cannot be read, or is not one of the hours of the record.
 *
 * @param span number of the record: its first hour in units of `SPAN`
 */
export function issueIn(line: string, span: number): number {
  const issued = issuedIn(line);
  return Math.floor(issued / SPAN) === span ? issued : Number.NaN;
}

/** The number of a record of issued forecasts. @param name ends with `spanName` */
export function spanNumber(name: string): number {
  return Date.parse(`${name.slice(-13)}:00Z`) / SPAN;
}

/** The lines of a record of issued forecasts. */
export function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.split('\n');
}

/** @throws Error if the line is not a forecast that was issued in the hours of its record */
function readLine(line: string, span: number): void {
  forecastIn(line);
  if (Number.isNaN(issueIn(line, span))) throw new DamagedText('belongs to other hours');
}

/** An error whose message is the end of a sentence about a record. */
class DamagedText extends Error {}

function faultOf(read: () => unknown): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    return error instanceof DamagedText ? error.message : UNREADABLE;
  }
}

function check(fault: string | undefined): void {
  if (fault !== undefined) throw new DamagedText(fault);
}

/** What was learned of a series, and until when, in milliseconds since 1970-01-01T00:00:00Z. */
interface LearnedUntil {
  readonly learned: Learned;
  readonly until: number;
}

export function learnedText({ learned, until }: LearnedUntil): string {
  return JSON.stringify({ errors: [...learned.errors], chance: learned.chance, until });
}

/** @throws Error if the text is not the result of `learnedText` */
export function learnedIn(text: string): LearnedUntil {
  const stored = JSON.parse(text) as Stored<Learned['errors'], 'errors'> &
    Omit<Learned, 'errors'> &
    LearnedUntil;
  check(formFault(stored, { chance: NOTHING.chance, until: 0 }));
  check(pairsFault(stored.errors, NOTHING_LEARNED));
  const { errors, chance, until } = stored;
  return { learned: { errors: new Map(errors), chance }, until };
}

export function scoresText(month: MonthScores): string {
  return JSON.stringify({ ...month, scores: [...month.scores] });
}

const LEAD_SCORES = LEADS.map(noScores);

/** @param month `2026-11` @throws Error if the text is not the result of `scoresText` for this month */
export function scoresIn(text: string, month: string): MonthScores {
  const stored = JSON.parse(text) as Stored<MonthScores['scores'], 'scores'> & Omit<MonthScores, 'scores'>;
  check(formFault(stored, { until: 0, digest: 0, forecasts: 0 }));
  check(pairsFault(stored.scores, LEAD_SCORES));
  const [begin] = spanOfMonth(month);
  if (Number.isNaN(begin) || monthOf(begin) !== month || stored.until <= begin)
    throw new DamagedText('ends before its month begins');
  return { ...stored, scores: new Map(stored.scores) };
}

/** @throws Error if the text is not a time */
export function firstIn(text: string): number {
  if (!/^-?\d{1,16}$/.test(text)) throw new DamagedText('is not a time');
  return Number(text);
}

/** @param station `Station.number` @throws Error if the text is not an order for this station */
export function orderIn(text: string, station: number): ForecastOrder {
  const order = JSON.parse(text) as ForecastOrder;
  check(formFault(order, { station, provider: '', since: 0 } satisfies ForecastOrder));
  if (order.station !== station) throw new DamagedText('belongs to another station');
  return order;
}

/** @throws Error if the text is not the state of an order */
export function orderStateIn(text: string): OrderState {
  const state = JSON.parse(text) as OrderState;
  const { issuedAt, answeredAt, failingSince, reason } = state;
  for (const time of [issuedAt, answeredAt, failingSince])
    if (time !== null) check(formFault(time, 0, 'a time'));
  if (reason !== null) check(formFault(reason, '', 'the reason'));
  return state;
}

type Stored<M, K extends string> = Readonly<
  Record<K, M extends ReadonlyMap<number, infer V> ? readonly (readonly [number, V])[] : never>
>;

/** What is wrong with values by number. @param example of a value */
function pairsFault(pairs: unknown, example: unknown): string | undefined {
  if (!Array.isArray(pairs)) return 'the list of variables is not a list';
  return firstFault(pairs, (pair) => formFault(pair, [0, example], 'the list of classes of leads'));
}
