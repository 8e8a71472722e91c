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
  /** The code of the station whose rows are imported, as it is written in the file. */
  readonly only?: string;
  readonly map: readonly MappedColumn[];
  /** Headings of the columns that are left out. */
  readonly leaveOut: readonly string[];
  readonly timeColumn?: readonly string[];
  readonly timeFormat?: readonly string[];
  readonly date?: string;
  readonly timeZone?: string;
  /** Length in seconds of the interval that begins at a timestamp. 0 means that timestamps are at the end of an interval. */
  readonly stampInterval?: number;
  /** Seconds between routine observations, for stations whose reporting interval is unknown. */
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
  /** Units of quantities: `temperature=°F`. */
  readonly unit: readonly string[];
  /** Headings of columns whose values are running totals (`counter`) or amounts of intervals (`amount`). */
  readonly counter: readonly string[];
  readonly amount: readonly string[];
  readonly issued?: string;
  readonly restart?: boolean;
  readonly rejections?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

/** The values of options that were not given. */
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
 * The answers that options of the command give to questions of import formats, by the key of the question. For example, `--unit
 * temperature=°F` gives the answer `°F` to the question `unit:temperature`.
 *
 * @throws DomainError REQUEST_INVALID if `--issued` is not a time
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
    ...(preset === undefined ? [] : [['format', preset] as const]),
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

/** Whether options describe the layout of the table. Import formats are then not tried. */
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
  const layoutOptions = [
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
  return layoutOptions.some((option) => option !== undefined);
}
