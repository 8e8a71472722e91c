import type { SummaryPage } from '#application/observations/read/summarize.js';
import type { SummaryRow } from '#application/observations/read/summary-rows.js';
import { type CalendarInterval, isClockInterval } from '#domain/weather/summaries/bucket.js';
import type { Completeness } from '#domain/weather/summaries/completeness.js';
import { type DegreeDayBases, RAIN_DAYS, type TemperatureOfDays } from '#domain/weather/summaries/of-days.js';
import { SECTOR_NAMES } from '#domain/weather/summaries/sectors.js';
import type { Statistics } from '#domain/weather/summaries/statistics.js';
import {
  converter,
  type Decimals,
  type QuantityInUnit,
  unitIn,
  type UnitSystem,
  withDecimals,
} from '#domain/weather/units.js';
import { traceVariableOf, V, type Variable } from '#domain/weather/variables.js';

export type DegreeDays = keyof DegreeDayBases;

/** A field of the summary of a variable. */
export interface SummaryField {
  readonly name: string;
  /** The unit, if it is not the unit of the variable. */
  readonly unit?: string;
  /** Whether the values have the unit of the variable. */
  readonly isMeasured?: true;
  /** Writes the value as JSON. */
  readonly text: (row: SummaryRow, variable: number) => string;
}

export interface SummaryStyle extends Pick<SummaryPage, 'format'> {
  readonly interval: CalendarInterval;
  readonly system: UnitSystem;
  readonly decimals?: Decimals;
  readonly degreeDays: readonly DegreeDays[];
  /** Names of the fields of a reply. Undefined means all fields. */
  readonly fields?: readonly string[] | undefined;
}

/** Sums of degrees over days. */
const DEGREE_DAYS = { name: 'degree_days', unit: '°C' };

const statisticsOf = (row: SummaryRow, variable: number) => row.statistics[variable] as Statistics;
const completenessOf = (row: SummaryRow, variable: number) => row.completeness[variable] as Completeness;
const temperatureOf = (row: SummaryRow, variable: number) =>
  row.ofDays[variable]?.temperature as TemperatureOfDays;

/** Returns the fields of a variable. The fields depend on the aggregation of the variable. */
export function summaryFields(variable: Variable, style: SummaryStyle): readonly SummaryField[] {
  const all = allFields(variable, style);
  const { fields } = style;
  return fields === undefined ? all : all.filter(({ name }) => fields.includes(name));
}

function allFields(variable: Variable, style: SummaryStyle): readonly SummaryField[] {
  const { interval } = style;
  const hasDays = !isClockInterval(interval) && interval !== 'day';
  return [
    { name: 'count', text: (row, index) => String(statisticsOf(row, index).count) },
    { name: 'expected', text: (row) => String(row.expected) },
    { name: 'complete', text: (row, index) => String(completenessOf(row, index).complete) },
    { name: 'valid', text: (row, index) => String(completenessOf(row, index).valid) },
    { name: 'missing', unit: 's', text: (row, index) => secondsText(completenessOf(row, index).missing) },
    ...(hasDays
      ? [
          {
            name: 'days',
            unit: '1',
            text: (row: SummaryRow, index: number) => String(completenessOf(row, index).days),
          },
        ]
      : []),
    { name: 'rule', text: (row, index) => `"${completenessOf(row, index).rule}"` },
    ...measuresOf(variable, style),
  ];
}

function measuresOf(variable: Variable, style: SummaryStyle): readonly SummaryField[] {
  const { interval } = style;
  const convert = conversionOf(variable, style);
  const value = (name: string, pick: (statistics: Statistics) => number): SummaryField => ({
    name,
    isMeasured: true,
    text: (row, index) => numberText(convert(pick(statisticsOf(row, index)))),
  });
  const time = (name: string, pick: (statistics: Statistics) => number): SummaryField => ({
    name,
    text: (row, index) => timeText(pick(statisticsOf(row, index)), style),
  });
  const method: SummaryField = {
    name: 'method',
    text: (row, index) => (statisticsOf(row, index).isWeighted ? '"time_weighted"' : '"plain"'),
  };
  const maximum = [value('max', ({ max }) => max), time('max_time', ({ maxTime }) => maxTime)];
  switch (variable.aggregation) {
    case 'sum':
      return [
        value('sum', ({ sum }) => sum),
        ...(traceVariableOf(variable.number) === undefined ? [] : [TRACES]),
        ...(variable.number === V.precipitation && !isClockInterval(interval)
          ? rainFields(value, time, style)
          : []),
        ...(variable.number === V.dailyPrecipitation && !isClockInterval(interval) && interval !== 'day'
          ? RAIN_DAY_FIELDS
          : []),
      ];
    case 'direction':
      return [
        value('mean', ({ mean }) => mean),
        method,
        ...(variable.number === V.windDirection ? [vectorSpeed(style)] : []),
        { name: 'prevailing', text: (row, index) => sectorText(statisticsOf(row, index).wind?.sector) },
      ];
    case 'maximum':
      return [
        ...maximum,
        // The wind direction of the strongest gust is taken from the same row as the gust. If the values are maxima of whole
        // days, there is no row with the time of the gust, and the direction is not known.
        ...(variable.period === 'day' ? [] : [maxDirection(style)]),
      ];
    case 'mean':
      return [
        value('min', ({ min }) => min),
        time('min_time', ({ minTime }) => minTime),
        ...maximum,
        value('mean', ({ mean }) => mean),
        method,
        ...(variable.unit === '°C' && variable.period !== 'day' && !isClockInterval(interval)
          ? temperatureFields(variable, style)
          : []),
        ...(variable.number === V.radiation ? [energy(style)] : []),
      ];
  }
}

/** The conversion of stored values to the unit and the decimals of a reply. */
function conversionOf(
  quantity: QuantityInUnit,
  { system, decimals }: Pick<SummaryStyle, 'system' | 'decimals'>,
): (value: number) => number {
  const unit = unitIn(system, quantity);
  return withDecimals(converter(quantity, unit, 'unit'), quantity, unit, decimals);
}

function maxDirection(style: SummaryStyle): SummaryField {
  const convert = conversionOf({ name: 'wind_from_direction', unit: 'degree' }, style);
  return {
    name: 'max_direction',
    unit: 'degree',
    text: (row, index) => numberText(convert(statisticsOf(row, index).maxDirection ?? Number.NaN)),
  };
}

const TRACES: SummaryField = {
  name: 'traces',
  unit: '1',
  text: (row, index) => String(row.traces[index] ?? 0),
};

const RAIN_DAY_FIELDS: readonly SummaryField[] = [
  ...RAIN_DAYS.map((amount, index) => ({
    name: `days_${String(amount).replace('.', '_')}mm`,
    unit: '1',
    text: (row: SummaryRow, variable: number) => String(row.ofDays[variable]?.rainDays?.[index] ?? null),
  })),
  // The number of days is valid if the sum of the rain is valid, because a missing day may be a day with rain.
  { name: 'rain_days_valid', text: (row, index) => String(completenessOf(row, index).valid) },
];

type ValueField = (name: string, pick: (statistics: Statistics) => number) => SummaryField;

function rainFields(value: ValueField, time: ValueField, { interval }: SummaryStyle): SummaryField[] {
  const ofHour = [
    value('max_1h', ({ rain }) => rain?.hourMax ?? Number.NaN),
    time('max_1h_time', ({ rain }) => rain?.hourMaxTime ?? Number.NaN),
    { name: 'max_1h_valid', text: maximumIsValid },
  ];
  if (interval === 'day') return ofHour;
  return [
    ...ofHour,
    value('max_24h', ({ rain }) => rain?.dayMax ?? Number.NaN),
    time('max_24h_time', ({ rain }) => rain?.dayMaxTime ?? Number.NaN),
    { name: 'max_24h_valid', text: maximumIsValid },
    ...RAIN_DAY_FIELDS,
  ];
}

/**
 * Whether the largest amount of rain in an hour or in 24 hours is valid. The largest amount is valid if the sum of the interval
 * is valid and if each amount covers at most an hour. The sum must be valid, because the largest amount may have fallen while
 * observations are missing.
 */
function maximumIsValid(row: SummaryRow, index: number): string {
  const { valid } = completenessOf(row, index);
  return String(valid === true ? statisticsOf(row, index).rain?.isHourly === true : valid);
}

function temperatureFields(variable: Variable, style: SummaryStyle): SummaryField[] {
  const { system, degreeDays, decimals } = style;
  const unit = unitIn(system, variable);
  const convert = converter(variable, unit, 'unit');
  const shown = conversionOf(variable, style);
  // Degree days are differences of temperatures, so the conversion uses only the factor and not the offset of the unit.
  const factor = (convert(100) - convert(0)) / 100;
  const degrees = withDecimals((value) => value * factor, DEGREE_DAYS, unit, decimals);
  const fields: SummaryField[] = [
    {
      name: 'midrange',
      isMeasured: true,
      text: (row, index) => numberText(shown(temperatureOf(row, index).midrange)),
    },
  ];
  if (variable.number !== V.temperature) return fields;
  for (const kind of degreeDays)
    fields.push({
      name: `${kind}_degree_days`,
      unit: `${unit} d`,
      text: (row, index) => numberText(degrees(temperatureOf(row, index)[kind])),
    });
  return fields;
}

function vectorSpeed(style: SummaryStyle): SummaryField {
  const speed = { name: 'wind_speed', unit: 'm/s' };
  const convert = conversionOf(speed, style);
  return {
    name: 'vector_speed',
    unit: unitIn(style.system, speed),
    text: (row, index) => numberText(convert(statisticsOf(row, index).wind?.vectorSpeed ?? Number.NaN)),
  };
}

/** The integral of W/m² over milliseconds, in mJ/m². Like a sum, the integral needs observations for the whole interval. */
function energy({ system, decimals }: SummaryStyle): SummaryField {
  const [unit, divisor] = system === 'si' ? ['J/m²', 1e3] : ['MJ/m²', 1e9];
  const convert = withDecimals((value) => value / divisor, { name: 'energy', unit }, unit, decimals);
  return {
    name: 'energy',
    unit,
    text: (row, index) =>
      completenessOf(row, index).missing === 0
        ? numberText(convert(statisticsOf(row, index).integral ?? Number.NaN))
        : 'null',
  };
}

function secondsText(milliseconds: number | null): string {
  return milliseconds === null ? 'null' : String(milliseconds / 1000);
}

function timeText(time: number, { format }: SummaryStyle): string {
  return Number.isNaN(time) ? 'null' : `"${format(time)}"`;
}

function sectorText(sector = Number.NaN): string {
  return Number.isNaN(sector) ? 'null' : `"${SECTOR_NAMES[sector]}"`;
}

/** Writes a number as JSON. NaN and infinity, which may result from a conversion or a sum, become null. */
function numberText(value: number): string {
  const result = rounded(value);
  return Number.isFinite(result) ? String(result) : 'null';
}

/** Rounds to ten digits, because means have more digits than the measurements, and sums have rounding errors. */
export function rounded(value: number): number {
  // Values with at most three decimals, such as most extremes, do not need `toPrecision`, which takes 0.5 µs.
  if (Math.abs(value) < 1e6 && Math.round(value * 1000) / 1000 === value) return value;
  return Number(value.toPrecision(10));
}
