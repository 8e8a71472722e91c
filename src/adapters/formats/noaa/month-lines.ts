import type { NoaaLine, NoaaReport } from '#domain/weather/climate/noaa/noaa-report.js';
import { dayCell, MONTH_NAMES, NOAA_UNITS, numberCell, textCell } from './noaa-cells.js';

const RULE = '-'.repeat(87);

/** Writes the lines of the report of a month. @param clock formats an instant as local time: `15:30` */
export function monthLines(
  { units, year, month = 1, lines, total }: NoaaReport,
  place: readonly string[],
  clock: (time: number) => string,
): string[] {
  const { temperature, rain, wind, rainDecimals } = NOAA_UNITS[units];
  const cells = (line: NoaaLine, when: (extreme: NoaaLine['high']) => string | undefined) => [
    numberCell(line.mean, 1),
    numberCell(line.high.value, 1),
    textCell(when(line.high)),
    numberCell(line.low.value, 1),
    textCell(when(line.low)),
    numberCell(line.heating, 1),
    numberCell(line.cooling, 1),
    numberCell(line.rain, rainDecimals),
    numberCell(line.wind, 1),
    numberCell(line.highWind.value, 1),
    textCell(when(line.highWind)),
    numberCell(line.direction, 0),
  ];
  const timeOf = ({ time }: NoaaLine['high']) => (Number.isNaN(time) ? undefined : clock(time));
  const dayLine = ({ number, line }: NoaaReport['lines'][number]) =>
    [` ${String(number).padStart(2, '0')}`, ...(line ? cells(line, timeOf) : [])].join(' ');
  return [
    `                   MONTHLY CLIMATOLOGICAL SUMMARY for ${MONTH_NAMES[month - 1]} ${year}`,
    '',
    '',
    ...place,
    '',
    '',
    `                   TEMPERATURE (${temperature}), RAIN (${rain}), WIND SPEED (${wind})`,
    '',
    '                                         HEAT   COOL         AVG',
    '      MEAN                               DEG    DEG          WIND                   DOM',
    'DAY   TEMP   HIGH   TIME    LOW   TIME   DAYS   DAYS   RAIN  SPEED   HIGH   TIME    DIR',
    RULE,
    ...lines.map(dayLine),
    ...(total ? [RULE, ['   ', ...cells(total, dayCell)].join(' ')] : []),
  ];
}
