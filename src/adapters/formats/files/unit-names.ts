import { unitsOf } from '#domain/weather/units.js';
import { VARIABLES } from '#domain/weather/variables.js';

/** Spellings of units in files, without blanks and in lower case, with the unit of the catalogue. */
const SPELLINGS: Readonly<Record<string, string>> = {
  '℃': '°C',
  c: '°C',
  degc: '°C',
  celsius: '°C',
  '℉': '°F',
  f: '°F',
  degf: '°F',
  fahrenheit: '°F',
  kelvin: 'K',
  mb: 'mbar',
  mbars: 'mbar',
  millibar: 'mbar',
  millibars: 'mbar',
  inch: 'in',
  inches: 'in',
  '"': 'in',
  'meters/second': 'm/s',
  'ms-1': 'm/s',
  mps: 'm/s',
  kmh: 'km/h',
  'km/hr': 'km/h',
  kph: 'km/h',
  kmph: 'km/h',
  'mi/h': 'mph',
  kn: 'kt',
  kts: 'kt',
  knot: 'kt',
  knots: 'kt',
  'mm/hr': 'mm/h',
  'in/hr': 'in/h',
  'inch/hr': 'in/h',
  percent: '%',
  pct: '%',
  '°': 'degree',
  deg: 'degree',
  degrees: 'degree',
  'w/m2': 'W/m²',
  'w/m^2': 'W/m²',
  'wm-2': 'W/m²',
  'w/sqm': 'W/m²',
  'kgm-2': 'kg/m²',
  'kg/m2': 'kg/m²',
  'ug/m3': 'µg/m³',
  'μg/m3': 'µg/m³',
  'µg/m3': 'µg/m³',
  'μg/m³': 'µg/m³',
  oktas: 'okta',
  octas: 'okta',
  eighths: 'okta',
  '/8': 'okta',
  feet: 'ft',
  miles: 'mi',
  minutes: 'min',
  hours: 'h',
  seconds: 's',
  sec: 's',
};

/**
 * Units that are read in files only: energies on an area, whose mean power depends on the interval, and numbers of a scale. See
 * `read-as.ts`.
 */
const FILE_UNITS: Readonly<Record<string, string>> = {
  'mj/m²': 'MJ/m²',
  'mj/m2': 'MJ/m²',
  'mj/m^2': 'MJ/m²',
  'mjm-2': 'MJ/m²',
  'kj/m²': 'kJ/m²',
  'kj/m2': 'kJ/m²',
  'kj/m^2': 'kJ/m²',
  'kjm-2': 'kJ/m²',
  'j/cm²': 'J/cm²',
  'j/cm2': 'J/cm²',
  'j/cm^2': 'J/cm²',
  'jcm-2': 'J/cm²',
  'wh/m²': 'Wh/m²',
  'wh/m2': 'Wh/m²',
  'wh/m^2': 'Wh/m²',
  beaufort: 'Beaufort',
  bft: 'Beaufort',
};

/** The units of the catalogue. The keys are their spellings without blanks and in lower case. */
const KNOWN = new Map(VARIABLES.flatMap(unitsOf).map((unit) => [folded(unit), unit]));

/** The unit of the catalogue for a spelling: `℃`, `w/m2`, `in Hg`; undefined for an unknown spelling. */
export function unitNamed(text: string): string | undefined {
  const spelling = folded(text);
  // `Object.hasOwn` is needed, because a file may have the text `constructor` in place of a unit.
  if (Object.hasOwn(SPELLINGS, spelling)) return SPELLINGS[spelling];
  if (Object.hasOwn(FILE_UNITS, spelling)) return FILE_UNITS[spelling];
  return KNOWN.get(spelling);
}

/**
 * Splits a heading into a name and a unit. The unit is in brackets, or behind a dash or a comma: `Wind(m/s)`, `Temp (°C)`,
 * `Temp - °F`, `Pres, hPa`. An unknown unit remains part of the name.
 */
export function splitHeading(heading: string): { readonly name: string; readonly unit: string | undefined } {
  const trimmed = heading.trim();
  const endings = [bracketsOf(trimmed), partOf(trimmed)].filter((found) => found !== undefined);
  const [ending] = endings.sort((a, b) => a.name.length - b.name.length);
  const unit = unitNamed(ending?.text ?? '');
  return ending === undefined || unit === undefined
    ? { name: trimmed, unit: undefined }
    : { name: ending.name, unit };
}

interface Ending {
  readonly name: string;
  readonly text: string;
}

/** Splits off the text in brackets at the end. */
function bracketsOf(heading: string): Ending | undefined {
  if (!/[)\]]$/.test(heading)) return undefined;
  const openAt = Math.max(heading.lastIndexOf('('), heading.lastIndexOf('['));
  const text = heading.slice(openAt + 1, -1);
  return openAt === -1 || /[)\]]/.test(text) ? undefined : { name: heading.slice(0, openAt).trimEnd(), text };
}

/** Splits off one or two words behind a dash or a comma. */
function partOf(heading: string): Ending | undefined {
  for (const { 0: sign, index } of heading.matchAll(/(?:\s[-–]|,)(?=\s)/g)) {
    const text = heading.slice(index + sign.length).trimStart();
    if (/^\S+(?: \S+)?$/.test(text)) return { name: heading.slice(0, index).trimEnd(), text };
  }
  return undefined;
}

function folded(text: string): string {
  return text.replace(/\s+/g, '').toLowerCase();
}
