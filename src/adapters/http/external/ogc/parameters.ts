import { FORECAST_VARIABLES, type ForecastVariable } from '#domain/forecast/forecast-variables.js';
import { CLOCK_INTERVALS, type CalendarInterval } from '#domain/weather/summaries/bucket.js';
import { type Aggregation, type Variable, VARIABLES } from '#domain/weather/variables.js';

/** A parameter of a collection. */
export interface Parameter {
  readonly name: string;
  readonly label: string;
  /** Unit as in the other replies. */
  readonly unit: string;
  /** CF standard name; undefined for a quantity that the CF conventions do not know. */
  readonly standardName: string | undefined;
  /** How a value describes its time: `point`, `mean`, `sum`, `minimum` or `maximum`. */
  readonly method: string;
  /** The time that a value describes, as an ISO 8601 duration; undefined if it varies. */
  readonly duration?: string | undefined;
}

/** UCUM codes (Unified Code for Units of Measure) of the units of variables. */
export const UCUM: Readonly<Record<string, string>> = {
  '°C': 'Cel',
  '%': '%',
  hPa: 'hPa',
  'm/s': 'm/s',
  degree: 'deg',
  mm: 'mm',
  'mm/h': 'mm/h',
  'W/m²': 'W/m2',
  '1': '1',
  s: 's',
  m: 'm',
  'µg/m³': 'ug/m3',
  ppm: '[ppm]',
};
const UCUM_TYPE = 'http://www.opengis.net/def/uom/UCUM/';
const STANDARD_NAMES = 'http://vocab.nerc.ac.uk/standard_name/';

/** Names of variables that are no CF standard names. */
const OWN_NAMES = new Set([
  ...VARIABLES.flatMap(({ name, mark }) => (mark === undefined ? [] : [name])),
  'lightning_strike_count',
  'leaf_wetness',
  'probability_of_precipitation',
  'weather_code',
]);

function standardNameOf(name: string): string | undefined {
  if (OWN_NAMES.has(name)) return undefined;
  const base = name.replace(/^(?:daily|multiday)_(?:(?:maximum|minimum|mean)_)?/, '').replace(/_6h$/, '');
  return OWN_NAMES.has(base) ? undefined : base;
}

const METHODS = {
  mean: 'mean',
  sum: 'sum',
  maximum: 'maximum',
  direction: 'mean',
} as const satisfies Record<Aggregation, string>;

/** The parameter of the observations of a variable. */
export function observationParameter(variable: Variable): Parameter {
  const { name, unit, aggregation, cellMethod, period } = variable;
  const [, method] = /^daily_(maximum|minimum|mean)_/.exec(name) ?? [];
  return {
    name,
    label: labelOf(name),
    unit,
    standardName: standardNameOf(name),
    method: method ?? (cellMethod === 'point' ? 'point' : METHODS[aggregation]),
    ...(period === 'day' && !name.startsWith('multiday_') && { duration: 'P1D' }),
  };
}

/** A statistic of a summary, by the name of its field in `Statistics`. */
export type Statistic = 'min' | 'max' | 'mean' | 'sum';
const STATISTICS = {
  mean: ['min', 'max', 'mean'],
  sum: ['sum'],
  maximum: ['max'],
  direction: ['mean'],
} as const satisfies Record<Aggregation, readonly Statistic[]>;
const STATISTIC_METHODS = { min: 'minimum', max: 'maximum', mean: 'mean', sum: 'sum' } as const;

/** A parameter of summaries, for example `air_temperature.max`, as the columns of `/v1/stations/{id}/summaries` are named. */
export interface SummaryParameter extends Parameter {
  readonly variable: Variable;
  readonly statistic: Statistic;
}

export function summaryParameters(variable: Variable, interval: CalendarInterval): SummaryParameter[] {
  const { name, unit, aggregation, mark } = variable;
  if (mark !== undefined) return [];
  return STATISTICS[aggregation].map((statistic) => ({
    name: `${name}.${statistic}`,
    label: `${labelOf(name)}: ${STATISTIC_METHODS[statistic]}`,
    unit,
    standardName: standardNameOf(name),
    method: STATISTIC_METHODS[statistic],
    duration: durationOf(interval),
    variable,
    statistic,
  }));
}

function durationOf(interval: CalendarInterval): string {
  const days = { day: 'P1D', week: 'P7D', month: 'P1M', season: 'P3M', year: 'P1Y' };
  return interval in CLOCK_INTERVALS
    ? `PT${CLOCK_INTERVALS[interval as keyof typeof CLOCK_INTERVALS]}M`
    : days[interval as keyof typeof days];
}

/** Variables of forecasts whose values describe the time before them, and how; the others are of the instant. */
const FORECAST_METHODS: Readonly<Record<string, string>> = {
  precipitation_amount: 'sum',
  precipitation_amount_6h: 'sum',
  thickness_of_snowfall_amount: 'sum',
  duration_of_sunshine: 'sum',
  wind_speed_of_gust: 'maximum',
  surface_downwelling_shortwave_flux_in_air: 'mean',
  probability_of_precipitation: 'probability',
  probability_of_precipitation_6h: 'probability',
};

export function forecastParameter({ name, unit }: ForecastVariable): Parameter {
  const method = FORECAST_METHODS[name];
  return {
    name,
    label: labelOf(name),
    unit,
    standardName: standardNameOf(name),
    method: method ?? 'point',
    ...(method !== undefined && { duration: name.endsWith('_6h') ? 'PT6H' : 'PT1H' }),
  };
}

/** All parameters of each collection with values. */
export const ALL_PARAMETERS = {
  observations: VARIABLES.map(observationParameter),
  summaries: VARIABLES.flatMap((variable) => summaryParameters(variable, 'day')),
  forecast: FORECAST_VARIABLES.map(forecastParameter),
} as const;

function labelOf(name: string): string {
  const words = name
    .replaceAll('_', ' ')
    .replace('pm2p5', 'PM2.5')
    .replace(/\bpm(\d+)\b/, 'PM$1');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A text of CoverageJSON in English. */
const english = (text: string) => ({ en: text });

/**
 * A parameter as CoverageJSON and as the metadata of EDR write it. Texts have a language in CoverageJSON only.
 *
 * @param home address of the collection, for quantities that have no CF standard name
 */
export function writeParameter(parameter: Parameter, home: string, form: 'coverage' | 'metadata') {
  const { name, label, unit, standardName, method, duration } = parameter;
  const text = form === 'coverage' ? english : (words: string) => words;
  return {
    type: 'Parameter',
    ...(form === 'metadata' && { id: name, label }),
    ...(form === 'coverage' && { id: name }),
    description: text(label),
    unit: { label: text(unit), symbol: { value: UCUM[unit] ?? unit, type: UCUM_TYPE } },
    observedProperty: {
      id: standardName === undefined ? `${home}#${name}` : `${STANDARD_NAMES}${standardName}/`,
      label: text(label),
    },
    ...(form === 'metadata' && { dataType: 'float' }),
    measurementType: { method, ...(duration !== undefined && { duration }) },
  };
}
