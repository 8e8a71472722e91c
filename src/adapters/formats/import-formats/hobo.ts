import type { FileHead } from '../files/file-head.js';
import type { ColumnPlan } from '../files/file-plan.js';
import { unitNamed } from '../files/unit-names.js';
import type { Questions } from '../files/questions.js';
import { say } from '../files/sentences.js';
import type { ImportFormat } from './import-format.js';

/**
 * Variables by the quantity in the heading, in lower case. Temperatures are not in this list: a temperature is read only if its
 * quantity or its label (the text after `LBL:` in the heading) contains the word `air`.
 */
const VARIABLES: Readonly<Record<string, string>> = {
  rh: 'relative_humidity',
  dewpt: 'dew_point_temperature',
  'wind speed': 'wind_speed',
  'gust speed': 'wind_speed_of_gust',
  'wind direction': 'wind_from_direction',
  'solar radiation': 'surface_downwelling_shortwave_flux_in_air',
  pressure: 'surface_air_pressure',
  rain: 'precipitation_amount',
};
const UNITS: Readonly<Record<string, string>> = { ø: 'degree', ϕ: 'degree' };
const TIME = /^Date Time, GMT([+-])(\d\d):(\d\d)$/;
const FIRST = 3;

/** Exports of HOBOware (Onset loggers): a title, headings with units and serial numbers, times with a fixed offset. */
export const hobo: ImportFormat = {
  name: 'hobo',
  title: 'Onset HOBOware, CSV',
  recognize(head, questions) {
    const headings = head.fields(2, ',');
    const at = headings.findIndex((heading) => TIME.test(heading));
    if (!/^\ufeff?"?Plot Title:/.test(head.lines[0] ?? '') || at === -1) return undefined;
    const [, sign, hours, minutes] = TIME.exec(headings[at] ?? '') ?? [];
    const offset = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
    const date = isYearFirst(head, at, questions) ? 'YY/MM/DD' : 'MM/DD/YY';
    const usedVariables = new Set<string>();
    return {
      layout: { kind: 'delimited', delimiter: ',', first: FIRST },
      time: {
        at: [at],
        headings: [headings[at] ?? ''],
        formats: ['HH:mm:ss', 'hh:mm:ss A', 'HH:mm', 'hh:mm A'].map((clock) => `${date} ${clock}`),
        zone: { offset },
      },
      columns: headings.flatMap((heading, place) =>
        place === at || heading === '' ? [] : [columnOf(heading, place, usedVariables, questions)],
      ),
    };
  },
};

function columnOf(heading: string, at: number, usedVariables: Set<string>, questions: Questions): ColumnPlan {
  const [, quantity = '', unitText = '', label = ''] =
    /^([^,(]+)(?:, ([^(]+?))?(?: \((.*)\))?$/.exec(heading) ?? [];
  const leftOut = (reason: string): ColumnPlan => ({ kind: 'left out', at, heading, reason });
  const name = quantity.trim().toLowerCase();
  const unit = UNITS[unitText] ?? unitNamed(unitText);
  const isAir = /\bair\b/i.test(name) || /\bair\b/i.test(/LBL: ([^,]*)/.exec(label)?.[1] ?? '');
  if (/\btemp\b/.test(name) && !isAir)
    return leftOut('the file does not say what this temperature was measured of');
  const variable = /\btemp\b/.test(name) ? 'air_temperature' : VARIABLES[name];
  if (variable === undefined) return leftOut('the service has no such variable');
  if (unit === undefined) return leftOut('its unit is unknown');
  if (usedVariables.has(variable)) return leftOut(`another column of ${variable}`);
  usedVariables.add(variable);
  if (variable === 'precipitation_amount' && questions.kind(heading, 'counter') === 'counter') {
    return { kind: 'counter', at, heading, variable, unit, resets: 'never' };
  }
  return { kind: 'value', at, heading, variable, unit };
}

/** Whether dates are `14/07/28` rather than `07/28/14`, which is a setting of HOBOware. */
function isYearFirst(head: FileHead, at: number, questions: Questions): boolean {
  const parts = head.samples(at, FIRST, ',').map((text) => text.split(/[/ ]/).map(Number));
  if (parts.some(([first = 0]) => first > 12)) return true;
  if (parts.some(([, second = 0]) => second > 12)) return false;
  const sentence = say('date-year', { date: head.samples(at, FIRST, ',')[0] ?? '' });
  return questions.ask('date-order', sentence, ['MDY', 'YMD']) === 'YMD';
}
