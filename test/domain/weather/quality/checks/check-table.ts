import { MILLISECONDS } from '#domain/time.js';
import { ROUNDING } from '#domain/weather/derived/vapor.js';
import { CHECKS, FLAG, verdictOf } from '#domain/weather/series.js';
import { type Variable, VARIABLES } from '#domain/weather/variables.js';
import { BUDDIES } from '#domain/weather/quality/checks/buddies.js';
import { NOTICE_CHECKS } from '#domain/weather/quality/notices/notice-checks.js';
import { NOTICE_KINDS } from '#domain/weather/quality/notices/notice.js';
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
import {
  RADIATION_LIMITS,
  MIN_RARE_MEAN,
  STAMP_TOLERANCE,
} from '#domain/weather/quality/checks/radiation-limit.js';

/** The documentation of a check. */
export interface DocumentedCheck {
  readonly flag: keyof typeof FLAG;
  /** Sentences in Markdown, each for one item of a list. */
  readonly rules: readonly string[];
  readonly source: string;
}

const hours = (milliseconds: number) => milliseconds / MILLISECONDS.hour;

function radiationLimit(name: keyof typeof RADIATION_LIMITS): string {
  const { factor, exponent, night } = RADIATION_LIMITS[name];
  return `Sa · ${factor} · µ0^${exponent} + ${night} W/m²`;
}

/** All checks with their rules and sources, for `docs/weather/quality-control.md`. */
export const CHECK_TABLE: readonly DocumentedCheck[] = [
  {
    flag: 'grossRange',
    rules: [
      'The value is outside of the limits of its variable or of its station.',
      'An amount is larger than its interval allows.',
      `In the background: global radiation is above the physically possible limit, which is ${radiationLimit('possible')}. Sa is the radiation outside of the atmosphere. µ0 is the sine of the largest altitude of the sun in the interval before the value, or up to ${hours(STAMP_TOLERANCE)} hour after the value; below the horizon it is 0. A station with limits of its own for global radiation is not checked by the sun.`,
    ],
    source:
      'WMO-No. 8 (2018), volume V; Zahumenský (2004); radiation: BSRN recommended QC tests V2.0 (Long and Dutton), physically possible limits; rain: Jennings (1950), WMO-No. 1045 (2009)',
  },
  {
    flag: 'step',
    rules: [
      'At write: the value differs from the last value that passed by more than the step.',
      `In the background: the values jump and return. All values between the two jumps are suspect if the values return within ${hours(MAX_LEVEL_OF_TWO_JUMPS)} hours, or within ${hours(LOOKAHEAD)} hours by changes above ${BEYOND_WEATHER} times the allowed change.`,
      'In the background: the values jump and do not return. The first value is suspect.',
      'Values that `persistence` calls suspect are not compared with others.',
    ],
    source: 'Zahumenský (2004), check on a maximum allowed variability; MADIS, temporal consistency',
  },
  {
    flag: 'spike',
    rules: [
      `One value differs from the values before and after it by more than ${SPIKE_SHARE * 100} % of the allowed change.`,
    ],
    source: 'WMO-No. 8 (2018), volume V, time consistency in both directions',
  },
  {
    flag: 'persistence',
    rules: [
      `At least ${MIN_EQUAL_VALUES} values are exactly the same for the hours of the [table](#numbers-of-the-checks), without a gap of more than ${hours(MAX_GAP)} hours. The table has three numbers of hours: for values in tenths, in halves (such as whole °F and knots), and in whole units.`,
      `Exceptions: a calm may last, and a vane need not turn below ${VANE_STARTS} m/s. Air may stay saturated (${SATURATED} %), and moist (${MOIST} %) unless the temperature varies by ${VARYING} °C. Radiation may stay the same while the sine of the altitude of the sun is below ${LOW_SUN} (6°).`,
    ],
    source:
      'Zahumenský (2004), check on a minimum required variability, over longer times; HadISD (Dunn et al., 2012), limits by resolution; radiation: number of the project',
  },
  {
    flag: 'consistency',
    rules: [
      'The values of a row are compared with each other. A value that failed another check is treated as absent. The following cases are suspect.',
      `The dew point is above the temperature by more than rounding (${ROUNDING.toFixed(2)} °C).`,
      `The humidity differs by more than ${HUMIDITY_TOLERANCE} % from the humidity that follows from temperature and dew point. Dew point and humidity are suspect; the temperature is not.`,
      'The gust is below the wind speed. If the gust is 0, only the gust is suspect.',
      `In the background: global radiation is above the extremely rare limit by the sun, which is ${radiationLimit('rare')}, and below the physically possible limit of \`gross_range\`. So more than ${RADIATION_LIMITS.rare.night} W/m² at night are suspect. By day, means over less than ${MIN_RARE_MEAN / MILLISECONDS.minute} minutes are not compared, because the edges of clouds reflect the sun.`,
      `The minimum of the day is above its maximum, or the mean is outside of both by more than ${DAILY_ROUNDING} °C. A value that contradicts both other values is suspect. So is a mean that is further outside than the range of the day. Otherwise all values that contradict each other are suspect.`,
    ],
    source:
      'WMO-No. 8 (2018), volume V, internal consistency; Zahumenský (2004); radiation: BSRN recommended QC tests V2.0 (Long and Dutton), extremely rare limits',
  },
  {
    flag: 'neighbors',
    rules: [
      `The value differs from the mean of at least ${BUDDIES.minimum} stations by more than ${BUDDIES.threshold} standard deviations.`,
      `The stations are within ${BUDDIES.radius / 1000} km and ${BUDDIES.heightDifference} m of height, and their values within ${BUDDIES.timeDifference / MILLISECONDS.minute} minutes.`,
      `Of ${BUDDIES.trimmedFrom} and more stations, the highest and the lowest value are left out.`,
    ],
    source:
      'MET Norway, titanlib, buddy check (Båserud et al., 2020): its rules, with code and numbers of the project',
  },
];

/** The lines of a table of Markdown. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** A heading for each check, with its verdict, its source and the list of its rules. */
export function checkList(): string {
  return CHECK_TABLE.map(({ flag, rules, source }) =>
    [
      `### \`${CHECKS[flag]}\``,
      `Verdict: ${verdictOf(FLAG[flag])}. Source: ${source}.`,
      rules.map((rule) => `- ${rule}`).join('\n'),
    ].join('\n\n'),
  ).join('\n\n');
}

/** A heading for each kind of notice, with what its checks find and their sources. */
export function noticeList(): string {
  return NOTICE_KINDS.map((kind) => {
    const checks = NOTICE_CHECKS.filter((check) => check.kind === kind);
    return [
      `### \`${kind}\``,
      checks.map(({ finds, source }) => `- ${upperFirst(finds)}. Source: ${source}.`).join('\n'),
    ].join('\n\n');
  }).join('\n\n');
}

function upperFirst(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** The numbers of the checks that look at values before, after and nearby. */
export function numbersTable(): string {
  const rows = VARIABLES.filter(({ number }) => numbersOf(number) !== NO_NUMBERS).map(numbersRow);
  const head = [
    'Variable',
    'Change per hour',
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
    `${limits.min} to ${limits.max}${limits.perMinute === true ? ' per minute' : ''}`,
    step === undefined ? '–' : `${step.perMinute} / ${step.perHour}`,
  ]);
  return table(
    ['Variable', 'Unit', 'Value of', 'Over an interval', 'Gross limits', 'Step per minute / per hour'],
    rows,
  );
}

function numbersRow({ number, name, unit, step }: Variable): string[] {
  const { change, stuckHours, buddies } = numbersOf(number);
  const height =
    buddies?.scaleHeight === undefined
      ? buddies?.perMeter === undefined
        ? '–'
        : `${buddies.perMeter * 100} ${unit} per 100 m`
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
