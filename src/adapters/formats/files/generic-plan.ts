import { type FileHead, headOfLines } from './file-head.js';
import type { FilePlan, TimePlan } from './file-plan.js';
import { columnList, longColumns, placeOf, type TableOptions, wideColumns } from './generic-columns.js';
import type { Questions } from './questions.js';
import { rowFilters } from './row-filters.js';
import { FileRefusal, say } from './sentences.js';
import { tableShape, type TableShape } from './table-shape.js';
import { oddTime, ownZoneOf, timeColumnsOf, timeFormatsOf, wholeTime } from './time-guess.js';

/** Variables whose amounts may be a trace. */
const AMOUNTS: ReadonlySet<string> = new Set([
  'precipitation_amount',
  'thickness_of_snowfall_amount',
  'daily_precipitation_amount',
  'daily_thickness_of_snowfall_amount',
]);

/** A plan for a table of no known import format. */
export interface GenericPlan extends FilePlan {
  /**
   * True if the meaning of every column is certain. It is certain if a person has named the variable of the column, or if the
   * heading of the column is the name of a variable.
   */
  readonly isSure: boolean;
}

/**
 * Makes a plan, which describes how a file is read, for a table of no known import format.
 *
 * @param fits whether a text is a time in a format
 * @throws DomainError REQUEST_INVALID if a part of the plan cannot be concluded; the message names the option that is needed
 */
export function genericPlan(
  whole: FileHead,
  options: TableOptions,
  questions: Questions,
  fits: (text: string, format: string) => boolean,
): GenericPlan {
  const head = options.header === false ? headWithRows(whole, options) : whole;
  const shape = tableShape(head, options);
  const { headings, delimiter, first } = shape;
  const place = (name: string) => placeOf(headings, name);
  const decimal = options.decimal ?? decimalOf(head, shape);
  const station = options.stationColumn === undefined ? undefined : place(options.stationColumn);
  const time = timePlan(head, shape, options, questions, fits);
  const used = new Set([...time.at, ...(station === undefined ? [] : [station])]);
  const traces = options.trace.length > 0 ? options.trace : ['T'];
  const columns =
    options.variableColumn === undefined
      ? wideColumns(head, shape, options, questions, used)
      : longColumns(options, place, [
          ...new Set(head.samples(place(options.variableColumn), first, delimiter)),
        ]);
  const long =
    options.variableColumn === undefined
      ? undefined
      : { name: place(options.variableColumn), value: place(options.valueColumn ?? '') };
  return {
    title: `table with ${headings.length} columns${shape.hasHeadings ? '' : ', without headings'}`,
    layout: { kind: 'delimited', delimiter, first, width: headings.length },
    decimal,
    time,
    ...(station !== undefined && { station: { at: station, heading: headings[station] as string } }),
    columns: columns.map(({ plan }) =>
      plan.kind !== 'left out' && AMOUNTS.has(plan.variable) ? { ...plan, traces } : plan,
    ),
    ...(long !== undefined && { long }),
    missing: options.missing,
    rows: rowFilters(options.where, place),
    questions: questions.open,
    isSure: columns.every(({ isSure }) => isSure),
  };
}

/**
 * The head with the rows that the options select. Without headings, the rows of a file may have different numbers of fields, for
 * example in a mixed array of a logger; the selected rows then define the table.
 */
function headWithRows(
  head: FileHead,
  { where, delimiter = head.delimiter, skipLines = 0 }: TableOptions,
): FileHead {
  if (where.length === 0) return head;
  const rules = rowFilters(where, (column) => Number(column) - 1);
  const isKept = (_: string, index: number) => {
    const fields = head.fields(index + 1, delimiter);
    return index < skipLines || rules.every(({ at, keep }) => keep?.includes(fields[at] ?? '') === true);
  };
  const lines = head.lines.filter(isKept);
  return lines.length === 0 ? head : headOfLines(head, lines);
}

function timePlan(
  head: FileHead,
  { headings, first, delimiter, hasHeadings }: TableShape,
  options: TableOptions,
  questions: Questions,
  fits: (text: string, format: string) => boolean,
): TimePlan {
  const at =
    options.timeColumn?.map((name) => placeOf(headings, name)) ??
    wholeTime(timeColumnsOf(headings), (place) => head.samples(place, first, delimiter), fits);
  if (at.length === 0) {
    const columns = hasHeadings
      ? say('columns-are', { columns: columnList(headings) })
      : say('columns-are-numbers', {});
    throw new FileRefusal([say('time-column-unknown', {}), columns]);
  }
  const parts = at.map((place) => head.samples(place, first, delimiter));
  const { date } = options;
  const samples = (parts[0] ?? []).map((text, index) =>
    [...(date === undefined ? [] : [date]), text, ...parts.slice(1).map((part) => part[index] ?? '')].join(
      ' ',
    ),
  );
  const formats = options.timeFormat ?? timeFormatsOf(samples, questions, fits);
  if (
    formats.length === 0 &&
    samples.length > 0 &&
    date === undefined &&
    samples.every((text) => /^\d\d?:\d\d/.test(text))
  ) {
    throw new FileRefusal([say('time-without-date', { time: JSON.stringify(samples[0]) })]);
  }
  if (formats.length === 0 && samples.length > 0) {
    const time = JSON.stringify(oddTime(samples, fits));
    throw new FileRefusal([say('time-format-unknown', { time })]);
  }
  return {
    at,
    ...(date !== undefined && { date }),
    headings: at.map((place) => headings[place] as string),
    formats: formats.length === 0 ? ['iso'] : formats,
    zone: options.zone ?? 'station',
    ...(formats[0] === 'iso' && { ownZone: ownZoneOf(samples) }),
  };
}

/**
 * The decimal sign: a comma if some numbers have a decimal comma and none has a decimal point, otherwise a point. Thousands
 * separators are not recognized.
 */
function decimalOf(head: FileHead, { headings, first, delimiter }: TableShape): '.' | ',' {
  const samples = headings.flatMap((_, at) => head.samples(at, first, delimiter));
  const has = (pattern: RegExp) => samples.some((text) => pattern.test(text));
  return has(/^[+-]?\d+,\d+\D*$/) && !has(/^[+-]?\d+\.\d+[^\d.]*$/) ? ',' : '.';
}
