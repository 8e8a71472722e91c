import { DomainError } from '#domain/domain-error.js';
import { isDateAlone, parseInstant, timeFault } from '#domain/time.js';
import type { Encoding } from '#adapters/formats/files/encodings.js';
import type { MappedColumn } from '#adapters/formats/files/generic-columns.js';
import type { Answers, DateOrder } from '#adapters/formats/files/questions.js';
import type { Ambiguous } from '#adapters/formats/tables/time-order.js';

/** The options of `weatherd import`. */
export interface ImportOptions {
  readonly preset?: string;
  readonly station?: string;
  readonly stationColumn?: string;
  /** What the file calls the station whose rows are taken. */
  readonly only?: string;
  readonly map: readonly MappedColumn[];
  /** Headings. */
  readonly leaveOut: readonly string[];
  readonly timeColumn?: readonly string[];
  readonly timeFormat?: readonly string[];
  readonly date?: string;
  readonly timeZone?: string;
  /** For stamps at the beginning of an interval: its seconds; 0 for stamps at its end. */
  readonly stampInterval?: number;
  /** Seconds between routine observations, for stations of which they are unknown. */
  readonly interval?: number;
  readonly ambiguous: Ambiguous;
  readonly delimiter?: string;
  readonly skipLines?: number;
  readonly header?: boolean;
  readonly decimal?: '.' | ',';
  readonly encoding?: Encoding;
  readonly missing: readonly string[];
  readonly trace: readonly string[];
  readonly variableColumn?: string;
  readonly valueColumn?: string;
  readonly dateOrder?: DateOrder;
  /** `temperature=°F`. */
  readonly unit: readonly string[];
  /** Headings of running totals, and of amounts. */
  readonly counter: readonly string[];
  readonly amount: readonly string[];
  readonly issued?: string;
  readonly restart?: boolean;
  readonly rejections?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

/** Options that have a value when nobody gives them. */
export const NO_OPTIONS: ImportOptions = {
  map: [],
  leaveOut: [],
  ambiguous: 'order',
  missing: [],
  trace: [],
  unit: [],
  counter: [],
  amount: [],
};

/**
 * What the options say to the makes, by key of the question.
 *
 * @throws DomainError REQUEST_INVALID for `--issued` that is no time
 */
export function answersOf({
  dateOrder,
  stampInterval,
  unit,
  counter,
  amount,
  issued,
  preset,
}: ImportOptions): Answers {
  if (issued !== undefined && Number.isNaN(parseInstant(isDateAlone(issued) ? `${issued}T00:00Z` : issued))) {
    throw new DomainError('REQUEST_INVALID', `--issued: ${JSON.stringify(issued)} ${timeFault(issued)}.`);
  }
  return new Map<string, string>([
    ...(issued === undefined ? [] : [['issued', issued] as const]),
    ...(preset === undefined ? [] : [['make', preset] as const]),
    ...(dateOrder === undefined ? [] : [['date-order', dateOrder] as const]),
    ...(stampInterval === undefined ? [] : [['day-stamp', stampInterval === 0 ? 'end' : 'begin'] as const]),
    ...unit.map((text) => {
      const at = text.lastIndexOf('=');
      return [`unit:${text.slice(0, at)}`, text.slice(at + 1)] as const;
    }),
    ...counter.map((heading) => [`kind:${heading}`, 'counter'] as const),
    ...amount.map((heading) => [`kind:${heading}`, 'amount'] as const),
  ]);
}

/** Whether the options say how the table is built. Then no make is asked. */
export function describesTable(options: ImportOptions): boolean {
  const {
    stationColumn,
    timeColumn,
    timeFormat,
    date,
    delimiter,
    skipLines,
    header,
    decimal,
    variableColumn,
  } = options;
  const told = [
    stationColumn,
    timeColumn,
    timeFormat,
    date,
    delimiter,
    skipLines,
    header,
    decimal,
    variableColumn,
  ];
  return told.some((option) => option !== undefined);
}
