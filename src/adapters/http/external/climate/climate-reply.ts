import { z } from 'zod';
import type { ClimateTable } from '#application/observations/climate/climate-table.js';
import type { Period } from '#application/observations/climate/compute-normals.js';
import { dateText } from '#domain/weather/climate/climate-days.js';
import { type NumberSource, SOURCES_OF_DAYS } from '#domain/weather/climate/provenance.js';
import type { Element, MeasuredElement } from '#domain/weather/climate/elements.js';
import {
  type ClimateRow,
  type Figure,
  type SoFar,
  type Validity,
  VALIDITY,
} from '#domain/weather/climate/validity.js';
import { conversionOf, converter, unitIn, withDecimals } from '#domain/weather/units.js';
import { variableNamed } from '#domain/weather/variables.js';
import { envelopeFields } from '../../core/schemas.js';
import type { ValueStyle } from '../observations/weather-fields.js';
import { envelopeStart } from '../stations/station-content.js';

const count = () => z.int().nonnegative();

/** The schema of the source of a number or of an element. */
export const sourceField = () => z.enum(SOURCES_OF_DAYS);

export const dailyDaysField = () =>
  count()
    .optional()
    .describe('Number of days with a published daily value, if the days have values of both sources');

const extremeDate = () =>
  z.string().nullable().optional().describe('For an extreme: its local date, or the first of several dates');

const soFarFields = z
  .strictObject({
    value: z.number().nullable().describe('null if none of these days has a value. No rule is applied'),
    date: extremeDate(),
    days: count().describe('Number of these days with a value'),
    missing: count().describe('Number of these days with too few values or without values'),
    until: z
      .string()
      .nullable()
      .describe('The last of these days; null on the first day of the month or year'),
  })
  .meta({ id: 'ClimateFigureSoFar' });

export const figureFields = z
  .strictObject({
    value: z.number().nullable().describe('null if `valid` is false'),
    date: extremeDate(),
    years: count().optional().describe('For an average: the number of its years'),
    missing_years: count().optional(),
    days: count().describe('Number of days with a value'),
    missing: count().describe('Number of days with too few values or without values'),
    rule: z.enum(Object.keys(VALIDITY) as [Validity, ...Validity[]]),
    valid: z.boolean(),
    source: sourceField()
      .optional()
      .describe(
        'Where the number comes from, if `sources` has `both` for the element; for an extreme, where the value of its day comes from',
      ),
    daily_days: dailyDaysField(),
    multiday_days: count()
      .optional()
      .describe(
        'Number of days of amounts of several days. In a sum they are days with a value, in other numbers they are missing',
      ),
    split_days: count()
      .optional()
      .describe(
        'Number of missing days of amounts of several days that begin before or end after the period',
      ),
    so_far: soFarFields
      .optional()
      .describe('For the current month or year: the figure of the days before today'),
  })
  .meta({ id: 'ClimateFigure' });

/** The schema of a row of figures. @param period name of the field that contains the period of the row */
export const climateRowFields = (period: string) =>
  z.object({ [period]: z.string() }).catchall(figureFields) as unknown as z.ZodObject;

const commonFields = {
  station: z.string(),
  time_zone: z.string().describe('Time zone of the days'),
  day_start: z.string(),
  years: z
    .strictObject({ from: z.int(), to: z.int() })
    .nullable()
    .describe('The first and the last year that were read; null without observations'),
  source: sourceField().nullable().describe('Source of the values of days; null without observations'),
  sources: z
    .record(z.string(), sourceField())
    .describe(
      'Where the numbers of each element come from. If it is `both`, each number has its own `source`',
    ),
  observation_times: z
    .array(z.string().nullable())
    .optional()
    .describe(
      'Times of day at which the published daily values of these years were read (`daily_observation_time` of the station), in the order in which they ' +
        'applied. null stands for an unknown time. Absent if `source` is `observations`',
    ),
  units: z.record(z.string(), z.string()).describe('Unit of each element. `d` is a number of days'),
};

/** The schema of the first fields of every climate table. */
export const tableFields = (message: string) => ({ ...envelopeFields(message), ...commonFields });

export const titleFields = z.record(z.string(), z.string()).describe('Description of each element');

export function titlesOf({
  elements,
}: {
  readonly elements: readonly Pick<Element, 'name' | 'description'>[];
}): Record<string, string> {
  return Object.fromEntries(elements.map(({ name, description }) => [name, description]));
}

export const ruleFields = z
  .record(z.string(), z.string())
  .describe('Description of each `rule` in the figures');

/**
 * The first fields of every climate table: the station, the years, the source and the units.
 *
 * @param observationTimes undefined if all values are computed from observations
 */
export function tableStart(
  message: string,
  {
    station,
    timeZone,
    years,
    source,
    sources,
    elements,
  }: Pick<ClimateTable, 'station' | 'timeZone' | 'years' | 'source' | 'sources'> & {
    readonly elements: readonly MeasuredElement[];
  },
  query: ValueStyle & { readonly day_start: string },
  observationTimes: readonly (string | null)[] | undefined,
) {
  const units = elements.map((element) => [element.name, measureIn(element, query).unit]);
  return {
    ...envelopeStart(message),
    station: station.id,
    time_zone: timeZone,
    day_start: query.day_start,
    years: years ?? null,
    source: source ?? null,
    sources: Object.fromEntries(sources),
    ...(observationTimes && { observation_times: observationTimes }),
    units: Object.fromEntries(units) as Record<string, string>,
  };
}

/** Names of numbers without a variable by their unit, which have their own decimals. */
const NAMES = { d: 'days', '%': 'percentage', 1: 'standardized_index' } as const;

/** The unit of an element in a reply, and the conversion of stored values to this unit and to the decimals of the reply. */
export function measureIn(
  { variable: name, unit: ownUnit = 'd', isDifference, suffix = '' }: MeasuredElement,
  { units: system, decimals }: ValueStyle,
): { readonly unit: string; readonly convert: (value: number) => number } {
  const variable = name === undefined ? undefined : variableNamed(name);
  if (variable === undefined) {
    const quantity = { name: NAMES[ownUnit], unit: ownUnit };
    return { unit: ownUnit, convert: withDecimals((value) => value, quantity, ownUnit, decimals) };
  }
  const unit = unitIn(system, variable);
  const factor = conversionOf(variable.unit, unit)?.factor ?? 1;
  const convert = isDifference ? (value: number) => value * factor : converter(variable, unit, 'unit');
  const quantity = suffix === '' ? variable : { name: 'degree_days', unit: variable.unit };
  return { unit: `${unit}${suffix}`, convert: withDecimals(convert, quantity, unit, decimals) };
}

/** Rounds to ten digits, because a mean has more digits than the measurements. Returns null for NaN, which JSON does not have. */
export function shown(value: number): number | null {
  return Number.isFinite(value) ? Number(value.toPrecision(10)) : null;
}

export const shownDate = (date: number) => (Number.isNaN(date) ? null : dateText(date));

/** Converts rows to the fields of a reply. @param period name of the field that contains the period of a row */
export function toRows(
  rows: readonly ClimateRow[],
  elements: readonly MeasuredElement[],
  period: string,
  style: ValueStyle,
) {
  const measures = elements.map((element) => measureIn(element, style));
  return rows.map(({ label, figures }) => ({
    [period]: label,
    ...Object.fromEntries(
      figures.map((one, index) => [elements[index]?.name, toFigure(one, measures[index]?.convert)]),
    ),
  }));
}

export function toFigure(
  { value, days, missing, rule, valid, date, years, missingYears, soFar, ...support }: Figure,
  convert: (value: number) => number = (stored) => stored,
) {
  return {
    ...toValue({ value, date }, convert),
    ...(years !== undefined && { years, missing_years: missingYears }),
    days,
    missing,
    rule,
    valid,
    ...toSource(support, days),
    ...(support.multidayDays !== undefined && { multiday_days: support.multidayDays }),
    ...(support.splitDays !== undefined && { split_days: support.splitDays }),
    ...(soFar !== undefined && { so_far: toSoFar(soFar, convert) }),
  };
}

/** The fields with the source of a number. @param days number of days of the number */
export function toSource({ source, dailyDays }: NumberSource, days: number) {
  const areOfBoth = source === 'both' || (dailyDays !== undefined && dailyDays > 0 && dailyDays < days);
  return { ...(source !== undefined && { source }), ...(areOfBoth && { daily_days: dailyDays ?? 0 }) };
}

function toSoFar({ value, date, days, missing, until }: SoFar, convert: (value: number) => number) {
  return { ...toValue({ value, date }, convert), days, missing, until: shownDate(until) };
}

function toValue(
  { value, date }: { readonly value: number; readonly date: number | undefined },
  convert: (value: number) => number,
) {
  return { value: shown(convert(value)), ...(date !== undefined && { date: shownDate(date) }) };
}

/** The schema of the period of normals. */
export const periodFields = {
  period: z.strictObject({ from: z.int(), to: z.int() }),
  kind: z.enum(['normal', 'period_average']),
  years_needed: z.int().describe('Number of years in which a month must be valid'),
};

/** The values of `periodFields`. */
export function periodReply({ period, kind, yearsNeeded }: Period) {
  return { period, kind, years_needed: yearsNeeded };
}

/** The schema of a table of months and years. */
export const monthAndYearFields = {
  rules: ruleFields,
  months: z.array(climateRowFields('month')),
  by_year: z.array(climateRowFields('year')),
};

/** The values of `monthAndYearFields`. */
export function monthsAndYearsReply({ elements, sections }: ClimateTable, style: ValueStyle) {
  return {
    rules: climateRulesOf(sections),
    months: toRows(sections['months'] ?? [], elements, 'month', style),
    by_year: toRows(sections['years'] ?? [], elements, 'year', style),
  };
}

/** Returns the descriptions of the rules of validity to which the rows refer, by name of the rule. */
export function climateRulesOf(sections: ClimateTable['sections']): Record<string, string> {
  const rules = Object.values(sections).flatMap((rows) =>
    rows.flatMap(({ figures }) => figures.map(({ rule }) => rule)),
  );
  return Object.fromEntries([...new Set(rules)].map((rule) => [rule, VALIDITY[rule]]));
}
