import { type NoaaLine, type NoaaReport, NOAA_THRESHOLDS } from '#domain/weather/climate/noaa/noaa-report.js';
import { dayCell, monthOf, NOAA_UNITS, numberCell, textCell } from './noaa-cells.js';

type When = (extreme: NoaaLine['high']) => string | undefined;
/** Writes the cells of a line; undefined if the table has no data for the period. */
type Cells = (line: NoaaLine, when: When) => string | undefined;

/** Width of the cell with the day or the month of an extreme. */
const WHEN = 4;

/** Writes the lines of the report of a year: a table of temperature, a table of rain and a table of wind. */
export function yearLines(report: NoaaReport, place: readonly string[]): string[] {
  const { temperature, rain, wind, rainDecimals } = NOAA_UNITS[report.units];
  const { hot, cold, veryCold, rain: amounts } = NOAA_THRESHOLDS[report.units];
  const count = (days: number) => numberCell(days, 0);
  const limits = [hot, cold, cold, veryCold].map(count).join(' ');
  return [
    `                     CLIMATOLOGICAL SUMMARY for year ${report.year}`,
    '',
    '',
    ...place,
    '',
    '',
    `                                       TEMPERATURE (${temperature})`,
    '',
    '                              HEAT    COOL                              MAX    MAX    MIN    MIN',
    '          MEAN   MEAN         DEG     DEG                                >=     <=     <=     <=',
    ` YR  MO   MAX    MIN    MEAN  DAYS    DAYS      HI  DAY     LOW  DAY ${limits}`,
    ...table(report, 96, (line, when) => {
      if (Number.isNaN(line.high.value) && Number.isNaN(line.low.value) && Number.isNaN(line.mean))
        return undefined;
      const means = [line.meanHigh, line.meanLow, line.mean, line.heating, line.cooling];
      const high = `${numberCell(line.high.value, 1)} ${textCell(when(line.high), WHEN)}`;
      const low = `${numberCell(line.low.value, 1)} ${textCell(when(line.low), WHEN)}`;
      const days = line.temperatureDays.map(count).join(' ');
      return `${means.map((mean) => numberCell(mean, 1)).join(' ')}  ${high}  ${low} ${days}`;
    }),
    '',
    '',
    `                  PRECIPITATION (${rain})`,
    '',
    '                  MAX         ---DAYS OF RAIN---',
    '                  OBS.               OVER',
    ` YR  MO  TOTAL    DAY  DATE ${amounts.map((amount) => numberCell(amount, 2)).join(' ')}`,
    ...table(report, 48, (line, when) => {
      if (Number.isNaN(line.rain)) return undefined;
      const wettest = `${numberCell(line.wettest.value, rainDecimals)}  ${textCell(when(line.wettest), WHEN)}`;
      return `${numberCell(line.rain, rainDecimals)} ${wettest} ${line.rainDays.map(count).join(' ')}`;
    }),
    '',
    '',
    `           WIND SPEED (${wind})`,
    '',
    '                                DOM',
    ' YR  MO    AVG     HI   DATE    DIR',
    ...table(report, 35, (line, when) => {
      if (Number.isNaN(line.wind) && Number.isNaN(line.highWind.value)) return undefined;
      const high = `${numberCell(line.highWind.value, 1)}   ${textCell(when(line.highWind), WHEN)}`;
      return `${numberCell(line.wind, 1)} ${high} ${numberCell(line.direction, 0)}`;
    }),
  ];
}

/** The lines of the months, followed by the line of the whole year if it has data. */
function table({ year, lines, total }: NoaaReport, width: number, cells: Cells): string[] {
  const rule = '-'.repeat(width);
  const months = lines.map(
    ({ number, line }) =>
      `${year} ${String(number).padStart(2, '0')} ${(line && cells(line, dayCell)) ?? ''}`,
  );
  const last = total && cells(total, monthOf);
  return [rule, ...months, ...(last === undefined ? [] : [rule, `        ${last}`])];
}
