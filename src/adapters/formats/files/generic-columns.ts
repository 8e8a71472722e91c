import { DomainError } from '#domain/domain-error.js';
import { suggestion } from '#domain/nearest-name.js';
import { readHeading } from '#domain/weather/units.js';
import { variableNamed } from '#domain/weather/variables.js';
import { guessColumn, type GuessedColumn } from './column-guess.js';
import { encodingHint } from './encodings.js';
import type { FileHead } from './file-head.js';
import type { ColumnPlan, ZonePlan } from './file-plan.js';
import type { AmountKind, Questions } from './questions.js';
import { RunningTest } from './running-test.js';
import { FileRefusal, say } from './sentences.js';
import type { ShapeOptions, TableShape } from './table-shape.js';
import { splitHeading, unitNamed } from './unit-names.js';

/** A column as a person describes it with an option. */
export interface MappedColumn {
  /**
   * How the person names the column: by its heading, or by its number from 1 in a file without headings. In a file of the long
   * form, in which each row has one value and the name of its quantity, this is the name of a quantity.
   */
  readonly field: string;
  readonly variable: string;
  /** Undefined means the unit in the heading, or else the stored unit of the variable. */
  readonly unit?: string;
  /** Whether the values are amounts of intervals or a running total. Undefined means that this is concluded from the values. */
  readonly kind?: AmountKind;
  /** Factor from the cell to the value in `unit`: 0.1 for tenths. */
  readonly factor?: number;
}

/** The description of a table by a person. Everything that is undefined is concluded from the file. */
export interface TableOptions extends ShapeOptions {
  readonly map: readonly MappedColumn[];
  readonly stationColumn?: string;
  /** One column, or a column with the date and a column with the time of day. */
  readonly timeColumn?: readonly string[];
  readonly timeFormat?: readonly string[];
  /** The date of all rows, if the file has only times of day: `2024-07-01`. */
  readonly date?: string;
  readonly zone?: ZonePlan;
  readonly decimal?: '.' | ',';
  readonly missing: readonly string[];
  /** The rows that are read, as `COLUMN=TEXT`. Other rows are skipped. */
  readonly where: readonly string[];
  /** Texts for a trace, an amount too small to be measured. Its value is 0. */
  readonly trace: readonly string[];
  /** The long form: the column with the name of the quantity, and the column with its value. */
  readonly variableColumn?: string;
  readonly valueColumn?: string;
}

export interface GenericColumn {
  readonly plan: ColumnPlan;
  readonly isSure: boolean;
}

export function wideColumns(
  head: FileHead,
  { headings, first, delimiter }: TableShape,
  options: TableOptions,
  questions: Questions,
  used: ReadonlySet<number>,
): GenericColumn[] {
  const mapped = new Map(options.map.map((column) => [placeOf(headings, column.field), column]));
  // In an export of the service, amounts are always amounts of intervals.
  const isExport = headings.includes('quality') && headings.some((heading) => heading === 'time');
  const seen = new Set<string>();
  const columns = headings.flatMap((heading, at): GenericColumn[] => {
    if (used.has(at)) return [];
    const mapping = mapped.get(at);
    const guessed = mapped.size === 0 ? guessColumn(heading, head.samples(at, first, delimiter)) : undefined;
    if (mapping === undefined && guessed === undefined) {
      const reason = say(mapped.size > 0 ? 'not-mapped' : 'name-variable', {});
      const plain = heading === 'quality' ? 'the service repeats quality control' : reason;
      return [{ plan: { kind: 'left out', at, heading, reason: plain }, isSure: true }];
    }
    const column = valueColumn(
      at,
      heading,
      mapping,
      guessed,
      head.samples(at, first, delimiter),
      questions,
      isExport,
    );
    if (!seen.has(column.plan.variable)) {
      seen.add(column.plan.variable);
      return [column];
    }
    if (guessed?.isSure === true)
      throw invalid(`The file has two columns ${JSON.stringify(column.plan.variable)}.`);
    return [
      { plan: { kind: 'left out', at, heading, reason: `a second ${column.plan.variable}` }, isSure: false },
    ];
  });
  if (columns.some(({ plan }) => plan.kind !== 'left out')) return columns;
  throw new FileRefusal(
    [
      say('variables-unknown', {}),
      say('columns-are', { columns: columnList(headings) }),
      ...encodingHint(headings, head.encoding),
    ],
    { headings: columns.map(({ plan }) => plan.heading) },
  );
}

function valueColumn(
  at: number,
  heading: string,
  mapping: MappedColumn | undefined,
  guessed: GuessedColumn | undefined,
  samples: readonly string[],
  questions: Questions,
  isExport: boolean,
): { readonly plan: Exclude<ColumnPlan, { kind: 'left out' }>; readonly isSure: boolean } {
  const variable = mapping?.variable ?? guessed?.variable.name ?? '';
  const ending = endingOf(samples);
  let unit = mapping?.unit ?? guessed?.unit ?? unitNamed(ending ?? '');
  if (unit === undefined && mapping !== undefined) unit = splitHeading(heading).unit ?? storedUnit(variable);
  if (unit === undefined && guessed !== undefined) {
    unit = questions.unit(guessed.quantity, UNITS[guessed.quantity] ?? [guessed.variable.unit]);
  }
  const place = {
    at,
    heading,
    variable,
    unit: unit ?? storedUnit(variable),
    ...(ending !== undefined && { endings: [ending] }),
    ...(mapping?.factor !== undefined && { factor: mapping.factor }),
  };
  let kind = mapping?.kind ?? questions.answered(`kind:${heading}`);
  // The heading `precipitation_amount` is the name of a variable, which has amounts of intervals.
  const isNamed = readHeading(heading).name === variable;
  const isRain = variable === 'precipitation_amount' && !isExport && !isNamed;
  if (isRain && kind === undefined) {
    const likely = likelyKind(samples);
    if (likely !== undefined) kind = questions.kind(heading, likely);
  }
  const plan =
    kind === 'counter'
      ? ({ kind, ...place, resets: 'day' } as const)
      : ({ kind: 'value', ...place, ...(kind === undefined && isRain && { isUnsure: true }) } as const);
  return { plan, isSure: mapping !== undefined || guessed?.isSure === true };
}

/**
 * If a file does not say which unit a quantity has, the user is asked. These are the units to choose from, the most likely unit
 * first.
 */
const UNITS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  temperature: ['°C', '°F'],
  pressure: ['hPa', 'inHg', 'mmHg'],
  wind: ['m/s', 'km/h', 'mph', 'kt'],
  rain: ['mm', 'in'],
  'rain rate': ['mm/h', 'in/h'],
  visibility: ['m', 'km', 'mi'],
};

/** @param names the names of quantities at the beginning of the file */
export function longColumns(
  { map, variableColumn = '', valueColumn: value }: TableOptions,
  place: (name: string) => number,
  names: readonly string[],
): GenericColumn[] {
  if (value === undefined || map.length === 0) {
    throw new FileRefusal([say('long-incomplete', {})], { headings: value === undefined ? [] : names });
  }
  const [at, name] = [place(value), place(variableColumn)];
  const mapped = map.map(({ field, variable, unit, kind, factor }): GenericColumn => {
    const column = {
      at,
      heading: field,
      variable,
      unit: unit ?? storedUnit(variable),
      when: { at: name, texts: [field] },
      ...(factor !== undefined && { factor }),
    };
    const plan: ColumnPlan =
      kind === 'counter'
        ? { kind, ...column, resets: 'day' }
        : {
            kind: 'value',
            ...column,
            ...(kind === undefined && variable === 'precipitation_amount' && { isUnsure: true }),
          };
    return { plan, isSure: true };
  });
  const others = names.filter((known) => !map.some(({ field }) => field === known));
  const reason = say('not-mapped', {});
  return [
    ...mapped,
    ...others.map((heading) => ({ plan: { kind: 'left out', at, heading, reason } as const, isSure: true })),
  ];
}

/**
 * The position of a column by its heading. In a file without headings the columns are named by their numbers from 1.
 *
 * @throws DomainError REQUEST_INVALID
 */
export function placeOf(headings: readonly string[], name: string): number {
  const at = headings.indexOf(name);
  if (at === -1) {
    throw invalid(
      `The file has no column ${JSON.stringify(name)}. Its columns are: ${columnList(headings)}.${suggestion(name, headings)}`,
    );
  }
  if (headings.includes(name, at + 1)) throw invalid(`The file has two columns ${JSON.stringify(name)}.`);
  return at;
}

export function columnList(headings: readonly string[]): string {
  return headings
    .map((text) => JSON.stringify(text).slice(1, -1))
    .join(', ')
    .slice(0, 500);
}

/** The text behind the numbers, if it is a known unit and the same in all samples: ` °F`; undefined otherwise. */
function endingOf(samples: readonly string[]): string | undefined {
  const endings = new Set(samples.map((text) => /^[+-]?[\d.,]+([^\d.,]\D*)$/.exec(text)?.[1]?.trim()));
  endings.delete(undefined);
  const [ending] = endings;
  return endings.size === 1 && ending !== undefined && unitNamed(ending) !== undefined ? ending : undefined;
}

/**
 * Whether the values of a column are more likely amounts of intervals or a running total. Undefined if this does not matter: the
 * values are certainly amounts of intervals, or both kinds lead to the same stored amounts, for example because all values are 0.
 */
function likelyKind(samples: readonly string[]): AmountKind | undefined {
  const test = new RunningTest();
  const levels = samples.map((text) => Number(/^.*[\d.]/s.exec(text.replace(',', '.'))?.[0] ?? Number.NaN));
  if (levels.some((level) => test.next(level))) return 'counter';
  return test.isOpen ? 'amount' : undefined;
}

function storedUnit(variable: string): string {
  return variableNamed(variable)?.unit ?? '';
}

function invalid(message: string): DomainError {
  return new DomainError('REQUEST_INVALID', message);
}
