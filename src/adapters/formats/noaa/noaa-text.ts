import type { NoaaReport } from '#domain/weather/climate/noaa/noaa-report.js';
import type { Station } from '#domain/weather/station.js';
import { recordedYear } from '#domain/weather/stations/demo.js';
import { monthLines } from './month-lines.js';
import { gapLines, rainOfDaysLines, sourceLines } from './notes.js';
import { yearLines } from './year-lines.js';

const METERS_PER_FOOT = 0.3048;

/**
 * Writes the report of a month or a year in the columns of NOAA's climatological summaries, as WeeWX prints them, followed by the time
 * zone and the days without complete data.
 *
 * @param format formats an instant with the offset of the time zone: `2013-01-01T00:00:00-05:00`
 */
export function noaaText(
  report: NoaaReport,
  station: Station,
  { timeZone, format }: { readonly timeZone: string; readonly format: (time: number) => string },
): string {
  const place = placeLines(report, station);
  const body =
    report.month === undefined
      ? yearLines(report, place)
      : monthLines(report, place, (time) => format(time).slice(11, 16));
  const notes = [meansLine(report), ...sourceLines(report), ...rainOfDaysLines(report), ...gapLines(report)];
  return [...body, '', `DAYS AND TIMES: ${timeZone}`, ...notes].map((line) => `${line.trimEnd()}\n`).join('');
}

function meansLine({ units, sources }: NoaaReport): string {
  const means = sources === undefined ? 'of all values' : 'of the days';
  return `MEANS: ${means}. DEGREE DAYS: from the mean of each day, base ${units === 'metric' ? '18.3 C' : '65 F'}`;
}

function placeLines({ units }: NoaaReport, station: Station): string[] {
  const { name, elevation, latitude, longitude } = station;
  const recorded = recordedYear(station);
  const height =
    units === 'metric'
      ? `${elevation?.toFixed(0)} m`
      : `${((elevation ?? 0) / METERS_PER_FOOT).toFixed(0)} feet`;
  const at = `LAT: ${degrees(latitude, 2)} ${latitude < 0 ? 'S' : 'N'}    LONG: ${degrees(longitude, 3)} ${longitude < 0 ? 'W' : 'E'}`;
  const named = recorded === undefined ? name : `${name} (recorded in ${recorded})`;
  return [`NAME: ${named}`, `ELEV: ${elevation === null ? 'N/A' : height}    ${at}`];
}

/** Writes an angle as degrees and minutes: `45-41.16`. */
function degrees(angle: number, digits: number): string {
  const hundredths = Math.round(Math.abs(angle) * 6000);
  const whole = Math.floor(hundredths / 6000);
  const minutes = ((hundredths - whole * 6000) / 100).toFixed(2);
  return `${String(whole).padStart(digits, '0')}-${minutes.padStart(5, '0')}`;
}
