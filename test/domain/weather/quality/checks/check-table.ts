import { MILLISECONDS } from '#domain/time.js';
import { ROUNDING } from '#domain/weather/derived/vapor.js';
import { CHECKS, FLAG, verdictOf } from '#domain/weather/series.js';
import { type Variable, VARIABLES } from '#domain/weather/variables.js';
import { BUDDIES } from '#domain/weather/quality/checks/buddies.js';
import { NO_NUMBERS, numbersOf } from '#domain/weather/quality/checks/check-numbers.js';
import { DAILY_ROUNDING, HUMIDITY_TOLERANCE } from '#domain/weather/quality/checks/consistency.js';
import { SPIKE_SHARE } from '#domain/weather/quality/checks/jumps.js';
import { BEYOND_WEATHER, MAX_LEVEL_OF_TWO_JUMPS, LOOKAHEAD } from '#domain/weather/quality/checks/levels.js';
import {
  MIN_EQUAL_VALUES,
  MAX_GAP,
  LOW_SUN,
  MOIST,
  SATURATED,
  VANE_STARTS,
  VARYING,
} from '#domain/weather/quality/checks/persistence.js';
import { RADIATION_LIMIT, STAMP_TOLERANCE } from '#domain/weather/quality/checks/radiation-limit.js';

/** What the documentation says of a check. */
export interface DocumentedCheck {
  readonly flag: keyof typeof FLAG;
  readonly rule: string;
  readonly source: string;
}

const hours = (milliseconds: number) => milliseconds / MILLISECONDS.hour;

/** All checks with their rules and sources. `docs/weather.md` has the same table. */
export const CHECK_TABLE: readonly DocumentedCheck[] = [
  {
    flag: 'grossRange',
    rule: `the value is outside of the limits of its variable or of its station; an amount is more than its interval allows. Afterwards, unless the station has limits of its own for it: global radiation is above Sa · ${RADIATION_LIMIT.factor} · µ0^${RADIATION_LIMIT.exponent} + ${RADIATION_LIMIT.night} W/m². Sa is the radiation outside of the atmosphere, µ0 the sine of the largest altitude of the sun in the interval before the value, or up to ${hours(STAMP_TOLERANCE)} hour behind it; below the horizon 0`,
    source:
      'WMO-No. 8 (2018), volume V; Zahumenský (2004); radiation: BSRN recommended QC tests V2.0 (Long and Dutton), physically possible limits; rain: Jennings (1950), WMO-No. 1045 (2009)',
  },
  {
    flag: 'step',
    rule: `when written: the value differs from the last one that passed by more than the step. Afterwards: the values jump, and return within ${hours(MAX_LEVEL_OF_TWO_JUMPS)} hours, or within ${hours(LOOKAHEAD)} hours by changes above ${BEYOND_WEATHER} times the allowed one: all values between; or they jump and do not return: the first value. Values that \`persistence\` calls suspect are not compared with others`,
    source: 'Zahumenský (2004), check on a maximum allowed variability; MADIS, temporal consistency',
  },
  {
    flag: 'spike',
    rule: `one value differs from the values before and after it by more than ${SPIKE_SHARE * 100} % of the allowed change`,
    source: 'WMO-No. 8 (2018), volume V, time consistency in both directions',
  },
  {
    flag: 'persistence',
    rule: `at least ${MIN_EQUAL_VALUES} values are exactly the same for the hours below (of values in tenths, in halves such as whole °F and knots, and in whole units), without a gap of more than ${hours(MAX_GAP)} hours. A calm may last, and a vane need not turn below ${VANE_STARTS} m/s. Air may stay saturated (${SATURATED} %), and moist (${MOIST} %) unless the temperature varies by ${VARYING} °C. Radiation may stay the same while the sine of the altitude of the sun is below ${LOW_SUN} (6°)`,
    source:
      'Zahumenský (2004), check on a minimum required variability, over longer times; HadISD (Dunn et al., 2012), limits by resolution; radiation: number of the project',
  },
  {
    flag: 'consistency',
    rule: `values of a row contradict each other: a dew point above the temperature by more than rounding (${ROUNDING.toFixed(2)} °C); a humidity that differs by more than ${HUMIDITY_TOLERANCE} % from that of temperature and dew point (of dew point and humidity, not of the temperature); a gust below the speed (a gust of 0 is only suspect itself); a minimum of the day above its maximum, or a mean that is outside of both by more than ${DAILY_ROUNDING} °C: the one that contradicts both of the others, or a mean that is further away than the range of the day, else all that contradict each other. A value that failed another check is treated as absent`,
    source: 'WMO-No. 8 (2018), volume V, internal consistency; Zahumenský (2004)',
  },
  {
    flag: 'neighbors',
    rule: `the value differs from the mean of at least ${BUDDIES.minimum} stations by more than ${BUDDIES.threshold} standard deviations. They are within ${BUDDIES.radius / 1000} km and ${BUDDIES.heightDifference} m of height, and their values within ${BUDDIES.timeDifference / MILLISECONDS.minute} minutes. Of ${BUDDIES.trimmedFrom} and more, the highest and the lowest are left out`,
    source:
      'MET Norway, titanlib, buddy check (Båserud et al., 2020): its rules, with code and numbers of the project',
  },
];

/** The lines of a table of Markdown. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** The checks. */
export function checkTable(): string {
  const rows = CHECK_TABLE.map(({ flag, rule, source }) => [
    `\`${CHECKS[flag]}\``,
    verdictOf(FLAG[flag]),
    rule,
    source,
  ]);
  return table(['Check', 'Verdict', 'Rule', 'Source'], rows);
}

/** The numbers of the checks that look at values before, after and nearby. */
export function numbersTable(): string {
  const rows = VARIABLES.filter(({ number }) => numbersOf(number) !== NO_NUMBERS).map(numbersRow);
  const head = [
    'Variable',
    'Change an hour',
    'Usual change',
    'Stuck after',
    'Smallest deviation',
    'With height',
  ];
  return table(head, rows);
}

/** The catalogue with the numbers of the checks at write. */
export function variableTable(): string {
  const rows = VARIABLES.map(({ number, name, unit, aggregation, cellMethod, limits, step }) => [
    `${number} \`${name}\``,
    unit,
    cellMethod,
    aggregation === 'direction' ? 'vector mean' : aggregation,
    `${limits.min} to ${limits.max}${limits.perMinute === true ? ' a minute' : ''}`,
    step === undefined ? '–' : `${step.perMinute} / ${step.perHour}`,
  ]);
  return table(
    ['Variable', 'Unit', 'Value of', 'Over an interval', 'Gross limits', 'Step a minute / an hour'],
    rows,
  );
}

function numbersRow({ number, name, unit, step }: Variable): string[] {
  const { change, stuckHours, buddies } = numbersOf(number);
  const height =
    buddies?.scaleHeight === undefined
      ? buddies?.perMeter === undefined
        ? '–'
        : `${buddies.perMeter * 100} ${unit} a 100 m`
      : `1/e in ${buddies.scaleHeight} m`;
  return [
    `\`${name}\``,
    step === undefined ? '–' : `${change?.perHour ?? step.perHour} ${unit}`,
    change === undefined ? '–' : `${change.usual} ${unit}`,
    stuckHours === undefined ? '–' : `${stuckHours.join(' / ')} h`,
    buddies === undefined ? '–' : `${buddies.minimumDeviation} ${unit}`,
    height,
  ];
}
