import type { ImportSettings } from '#application/ports/file-importer.js';
import { isDateAlone, parseInstant, timeFault } from '#domain/time.js';
import type { Encoding } from '#adapters/formats/files/encodings.js';
import type { Answers } from '#adapters/formats/files/questions.js';
import { FileRefusal, say } from '#adapters/formats/files/sentences.js';

/** The options of an import: what a person says about the file, and the stations of its rows. */
export interface ImportOptions extends ImportSettings {
  readonly station?: string;
  readonly stationColumn?: string;
  readonly encoding?: Encoding;
  readonly restart?: boolean;
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
  where: [],
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
    throw new FileRefusal([say('issued-broken', { text: JSON.stringify(issued), fault: timeFault(issued) })]);
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
