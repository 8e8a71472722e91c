import { conversionOf } from '#domain/weather/units.js';

/** A unit in replies: its text, the decimals to which Open-Meteo rounds its values, and its number in FlatBuffers (enum `Unit`). */
export interface ReplyUnit {
  readonly text: string;
  readonly decimals: number;
  readonly code: number;
}

/** The units of Open-Meteo. Source: `Unit` of open-meteo/sdk (MIT) and the documented replies. */
export const UNITS = {
  celsius: { text: '°C', decimals: 1, code: 1 },
  fahrenheit: { text: '°F', decimals: 1, code: 9 },
  kmh: { text: 'km/h', decimals: 1, code: 24 },
  ms: { text: 'm/s', decimals: 2, code: 28 },
  mph: { text: 'mp/h', decimals: 1, code: 31 },
  kn: { text: 'kn', decimals: 1, code: 25 },
  mm: { text: 'mm', decimals: 2, code: 32 },
  inch: { text: 'inch', decimals: 3, code: 18 },
  centimetre: { text: 'cm', decimals: 2, code: 2 },
  metre: { text: 'm', decimals: 2, code: 29 },
  feet: { text: 'ft', decimals: 3, code: 10 },
  percent: { text: '%', decimals: 0, code: 35 },
  degree: { text: '°', decimals: 0, code: 5 },
  hectopascal: { text: 'hPa', decimals: 1, code: 16 },
  kilopascal: { text: 'kPa', decimals: 2, code: 21 },
  watts: { text: 'W/m²', decimals: 1, code: 39 },
  megajoules: { text: 'MJ/m²', decimals: 2, code: 26 },
  joules: { text: 'J/kg', decimals: 1, code: 20 },
  seconds: { text: 's', decimals: 2, code: 36 },
  hours: { text: 'h', decimals: 2, code: 17 },
  micrograms: { text: 'μg/m³', decimals: 1, code: 30 },
  grains: { text: 'grains/m³', decimals: 1, code: 14 },
  ppm: { text: 'ppm', decimals: 0, code: 41 },
  degreeDays: { text: 'GGDc', decimals: 2, code: 12 },
  moisture: { text: 'm³/m³', decimals: 3, code: 3 },
  kilograms: { text: 'kg/m²', decimals: 2, code: 23 },
  wmoCode: { text: 'wmo code', decimals: 0, code: 40 },
  europeanIndex: { text: 'EAQI', decimals: 0, code: 8 },
  americanIndex: { text: 'USAQI', decimals: 0, code: 38 },
  integer: { text: '', decimals: 0, code: 6 },
  number: { text: '', decimals: 2, code: 7 },
  iso8601: { text: 'iso8601', decimals: 0, code: 19 },
  unixtime: { text: 'unixtime', decimals: 0, code: 37 },
} as const satisfies Record<string, ReplyUnit>;

/** What a request says about units. */
export interface ChosenUnits {
  readonly temperature: 'celsius' | 'fahrenheit';
  readonly windSpeed: 'kmh' | 'ms' | 'mph' | 'kn';
  readonly precipitation: 'mm' | 'inch';
  readonly length: 'metric' | 'imperial';
  readonly time: 'iso8601' | 'unixtime';
}

/** What a column measures: a unit that the request chooses, or a fixed unit. */
export type Dimension =
  | 'temperature'
  | 'windSpeed'
  | 'precipitation'
  | 'snowfall'
  | 'length'
  | 'time'
  | keyof typeof UNITS;

/** The units as weatherd writes them, for conversions. */
const OWN_NAMES: Partial<Record<keyof typeof UNITS, readonly [stored: string, unit: string]>> = {
  fahrenheit: ['°C', '°F'],
  kmh: ['m/s', 'km/h'],
  mph: ['m/s', 'mph'],
  kn: ['m/s', 'kt'],
  inch: ['mm', 'in'],
  centimetre: ['mm', 'cm'],
  feet: ['m', 'ft'],
};

/** The unit of a dimension, and the conversion of a value from the unit of weatherd: °C, m/s, mm, m, or the fixed unit itself. */
export function unitOf(
  dimension: Dimension,
  chosen: ChosenUnits,
): { readonly unit: ReplyUnit; readonly convert: (value: number) => number } {
  const name = nameOf(dimension, chosen);
  const [stored, unit] = OWN_NAMES[name] ?? ['', ''];
  const conversion = conversionOf(stored, unit) ?? { factor: 1, offset: 0 };
  return { unit: UNITS[name], convert: (value) => value * conversion.factor + conversion.offset };
}

function nameOf(dimension: Dimension, chosen: ChosenUnits): keyof typeof UNITS {
  switch (dimension) {
    case 'snowfall':
      return chosen.precipitation === 'inch' ? 'inch' : 'centimetre';
    case 'length':
      return chosen.length === 'imperial' ? 'feet' : 'metre';
    case 'temperature':
    case 'windSpeed':
    case 'precipitation':
    case 'time':
      return chosen[dimension];
    default:
      return dimension;
  }
}

/** The value with the decimals of its unit. */
export function rounded(value: number, { decimals }: ReplyUnit): number {
  return Number(value.toFixed(decimals));
}
