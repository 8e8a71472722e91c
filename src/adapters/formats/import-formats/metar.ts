import { isDateAlone, MILLISECONDS, parseInstant } from '#domain/time.js';
import type { FileRecord, FileSource } from '../files/file-plan.js';
import { columnsByHeading, type HeadingField } from './by-heading.js';
import type { ImportFormat } from './import-format.js';
import { say } from '../files/sentences.js';

const FIELDS: Readonly<Record<string, HeadingField>> = {
  temperature: { variable: 'air_temperature', unit: '°C' },
  'dew point': { variable: 'dew_point_temperature', unit: '°C' },
  'wind direction': { variable: 'wind_from_direction', unit: 'degree' },
  'wind speed': { variable: 'wind_speed', unit: 'm/s' },
  gust: { variable: 'wind_speed_of_gust', unit: 'm/s' },
  visibility: { variable: 'visibility_in_air', unit: 'm' },
  'sea level pressure': { variable: 'air_pressure_at_mean_sea_level', unit: 'hPa' },
  'precipitation of the hour': { variable: 'precipitation_amount', unit: 'in', traces: ['T'] },
};
const HEADINGS = ['station', 'time', ...Object.keys(FIELDS)];

/** Milliseconds by which a report may be later than the clock of this machine. */
const AHEAD = MILLISECONDS.hour;
/** The start of a line with a report. */
const BEGINNING = /^"?(?:METAR |SPECI )?(?:COR )?[A-Z][A-Z0-9]{3} \d{6}Z /;

/** METAR text with one report in each line. In a CSV file the report is one of the fields. */
export const metar: ImportFormat = {
  name: 'metar',
  title: 'METAR text, one report in each line; stations by ICAO code',
  recognize(head, questions) {
    const reports = head.lines
      .filter((line) => line.trim() !== '' && !line.startsWith('raw_text,'))
      .slice(0, 20);
    // If the user names this format, any text file is accepted, because some of its lines may be damaged.
    const isRequested = questions.optionValue('format') === 'metar' && head.kind === 'text';
    const reportCount = reports.filter((line) => BEGINNING.test(line)).length;
    if (!isRequested && (reportCount === 0 || reportCount < reports.length / 2)) return undefined;
    const issued = questions.optionValue('issued');
    const before =
      issued === undefined
        ? Date.now() + AHEAD
        : parseInstant(isDateAlone(issued) ? `${issued}T00:00Z` : issued);
    const routineInterval = intervalOf(head.lines);
    return {
      ...(routineInterval !== undefined && { routineInterval }),
      layout: { kind: 'own', records: (source) => records(source, before) },
      station: { at: 0, heading: 'station', identifier: 'icao' },
      time: { at: [1], headings: ['time'], formats: ['iso'], zone: 'utc' },
      columns: columnsByHeading(HEADINGS, { fields: FIELDS, usedFields: [0, 1] }),
      notes: [
        say('metar-month', { before: `${new Date(before).toISOString().slice(0, 16)}Z` }),
        ...(routineInterval === undefined ? [say('metar-interval', {})] : []),
        'The altimeter setting and extremes of six hours are left out, because the service has no variables for them.',
      ],
    };
  },
};

/** Station, day, hour and minute of a report, and the mark of a special report. */
const STAMP = /(SPECI )?(?:COR )?([A-Z][A-Z0-9]{3}) (\d{4})(\d\d)Z /;
/**
 * Conditions for concluding the interval between routine reports from the minutes of reports: the smallest number of hours that
 * must have reports, and the smallest share of these hours that must have a report at the same minute.
 */
const [MIN_HOURS, MIN_SHARE] = [6, 2 / 3];

/**
 * The seconds between routine reports, which have the same minute in each hour or half hour; undefined if the reports do not show
 * the interval clearly.
 */
function intervalOf(lines: readonly string[]): number | undefined {
  const stations = new Map<string, Map<string, Set<number>>>();
  for (const line of lines) {
    const [, special, station = '', hour = '', minute] = STAMP.exec(line) ?? [];
    if (minute === undefined || special !== undefined) continue;
    const hours = stations.get(station) ?? new Map<string, Set<number>>();
    stations.set(station, hours);
    hours.set(hour, (hours.get(hour) ?? new Set()).add(Number(minute)));
  }
  const intervals = new Set([...stations.values()].map((hours) => intervalAt([...hours.values()])));
  return intervals.size === 1 ? [...intervals][0] : undefined;
}

/**
 * The seconds between routine reports; undefined if the interval is uncertain.
 *
 * @param hours the minutes of the reports in each hour
 */
function intervalAt(hours: readonly ReadonlySet<number>[]): number | undefined {
  if (hours.length < MIN_HOURS) return undefined;
  const shareAt = (minute: number) => hours.filter((minutes) => minutes.has(minute)).length / hours.length;
  const shares = Array.from({ length: 60 }, (_, minute) => shareAt(minute));
  const routine = [...shares.keys()].filter((minute) => (shares[minute] as number) >= MIN_SHARE);
  if (routine.length === 1 && shareAt(((routine[0] as number) + 30) % 60) < 1 - MIN_SHARE) return 3600;
  return routine.length === 2 && (routine[1] as number) - (routine[0] as number) === 30 ? 1800 : undefined;
}

async function* records(source: FileSource, before: number): AsyncGenerator<readonly FileRecord[]> {
  // The parser is loaded here, because other formats do not need it.
  const { metarRecords } = await import('./metar-reports.js');
  yield* metarRecords(source, before);
}
