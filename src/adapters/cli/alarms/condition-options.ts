import { type Command, InvalidArgumentError, Option } from 'commander';
import { storedForecast, storedThreshold, variableOf } from '#application/alarms/sent-threshold.js';
import { type Condition, NOTICE_DAYS } from '#domain/alarms/condition.js';
import { FORECAST_PROBABILITY, FORECAST_WITHIN } from '#domain/alarms/forecast-limits.js';
import { DomainError } from '#domain/domain-error.js';
import { parseDuration } from '#domain/duration.js';
import { MILLISECONDS } from '#domain/time.js';
import { NOTICE_KINDS, type NoticeKind } from '#domain/weather/quality/notices/notice.js';
import { unitNamed } from '#adapters/formats/files/unit-names.js';
import { parseDecimal } from '../uploads/upload-options.js';

interface Limit {
  readonly variable: string;
  readonly value: number;
  readonly unit: string | undefined;
}

/** Options of the condition of an alarm. */
export interface ConditionOptions {
  readonly silent?: number | true;
  readonly failed?: string | true;
  readonly suspect?: boolean;
  readonly notice?: NoticeKind | true;
  readonly variable?: string;
  readonly days?: number;
  readonly battery?: true;
  /** Percent. */
  readonly batteryBelow?: number;
  readonly above?: Limit;
  readonly below?: Limit;
  readonly clear?: number;
  /** Milliseconds for which all values must be beyond the threshold before the alarm is raised. */
  readonly for?: number;
  readonly forecastAbove?: Limit;
  readonly forecastBelow?: Limit;
  /** Milliseconds. */
  readonly within?: number;
  /** From 0 to 1. */
  readonly probability?: number;
}

/** Default of `--silent`: the alarm is raised after more than this number of reporting intervals without a row. */
const DEFAULT_SILENCE = 3;

export function addConditionOptions(command: Command): Command {
  return command
    .option(
      '--silent [intervals]',
      `no row for more than this number of reporting intervals (default: ${DEFAULT_SILENCE})`,
      parseCount,
    )
    .option(
      '--failed [variable]',
      'the newest value failed quality control; of any variable if none is named',
    )
    .option('--suspect', 'with --failed: suspect values count as well')
    .addOption(
      new Option('--notice [kind]', 'quality control has a notice; of any kind if none is named').choices(
        NOTICE_KINDS,
      ),
    )
    .option('--variable <name>', 'with --notice: only notices of this variable')
    .option(
      '--days <days>',
      `with --notice: days after its begin for which an ended notice counts (default: ${NOTICE_DAYS.default})`,
      parseDays,
    )
    .option('--battery', 'the battery of a sensor of the station is low')
    .option(
      '--battery-below <percent>',
      'the battery of a sensor of the station is low, or its charge is below this percentage',
      parseCount,
    )
    .option(
      '--above <variable=value:unit>',
      'the newest value is above this threshold; the unit is optional',
      parseLimit,
    )
    .option(
      '--below <variable=value:unit>',
      'the newest value is below this threshold; the unit is optional',
      parseLimit,
    )
    .option(
      '--clear <value>',
      'the value at which the alarm clears, in the unit of the threshold',
      parseDecimal,
    )
    .option('--for <time>', 'time for which all values must be beyond the threshold: 10min, 2h', parseTime)
    .option(
      '--forecast-above <variable=value:unit>',
      'the forecast expects a value above this threshold',
      parseLimit,
    )
    .option(
      '--forecast-below <variable=value:unit>',
      'the forecast expects a value below this threshold',
      parseLimit,
    )
    .option(
      '--within <time>',
      `with a forecast: time from now on in which the value is expected (default: ${FORECAST_WITHIN.default / MILLISECONDS.hour}h)`,
      parseTime,
    )
    .option(
      '--probability <number>',
      `with a forecast: smallest chance, from 0 to 1 (default: ${FORECAST_PROBABILITY.default})`,
      parseDecimal,
    );
}

const CONDITION_OPTIONS = [
  'silent',
  'failed',
  'suspect',
  'notice',
  'variable',
  'days',
  'battery',
  'batteryBelow',
  'above',
  'below',
  'clear',
  'for',
  'forecastAbove',
  'forecastBelow',
  'within',
  'probability',
] as const satisfies readonly (keyof ConditionOptions)[];

/** Whether an option of a condition is set. */
export function namesCondition(options: ConditionOptions): boolean {
  return CONDITION_OPTIONS.some((name) => options[name] !== undefined);
}

/**
 * The condition that the options describe.
 *
 * @throws DomainError REQUEST_INVALID if not exactly one condition is set, or if an option belongs to another condition
 */
export function conditionOf(options: ConditionOptions): Condition {
  const { silent, failed, suspect = false, notice, variable: noticed, days } = options;
  const { battery, batteryBelow, above, below, clear, for: duration } = options;
  const { forecastAbove, forecastBelow, within, probability } = options;
  const forecast = forecastAbove ?? forecastBelow;
  const values = [above, below, forecastAbove, forecastBelow];
  const conditions = [silent, failed, notice, battery, batteryBelow, ...values];
  if (conditions.filter((option) => option !== undefined).length !== 1)
    throw invalid(
      'Give one of --silent, --failed, --notice, --battery, --battery-below, --above, --below, --forecast-above and --forecast-below.',
    );
  if (suspect && failed === undefined) throw invalid('--suspect requires --failed.');
  if (notice === undefined && (noticed !== undefined || days !== undefined))
    throw invalid('--variable and --days require --notice.');
  const limit = above ?? below;
  if (limit === undefined && (clear !== undefined || duration !== undefined))
    throw invalid('--clear and --for require --above or --below.');
  if (forecast === undefined && (within !== undefined || probability !== undefined))
    throw invalid('--within and --probability require --forecast-above or --forecast-below.');
  if (silent !== undefined) return { kind: 'silent', intervals: silent === true ? DEFAULT_SILENCE : silent };
  if (battery !== undefined) return { kind: 'battery' };
  if (batteryBelow !== undefined) return { kind: 'battery', below: batteryBelow };
  if (failed !== undefined)
    return { kind: 'failed', variable: failed === true ? null : variableOf(failed).number, suspect };
  if (notice !== undefined)
    return {
      kind: 'notice',
      notice: notice === true ? null : notice,
      variable: noticed === undefined ? null : variableOf(noticed).number,
      days: days ?? NOTICE_DAYS.default,
    };
  if (forecast !== undefined)
    return storedForecast({
      comparison: forecastAbove === undefined ? 'below' : 'above',
      variable: forecast.variable,
      threshold: forecast.value,
      unit: forecast.unit,
      within: within ?? FORECAST_WITHIN.default,
      probability: probability ?? FORECAST_PROBABILITY.default,
    });
  const { variable, value, unit } = limit as Limit;
  return storedThreshold({
    kind: above === undefined ? 'below' : 'above',
    variable,
    threshold: value,
    clear: clear ?? value,
    unit,
    for: duration ?? 0,
  });
}

function parseLimit(text: string): Limit {
  const [, variable = '', value = '', unit] = /^([a-z0-9_]+)=([^:]+)(?::(.+))?$/s.exec(text) ?? [];
  if (variable === '')
    throw new InvalidArgumentError('It must be VARIABLE=VALUE:UNIT, such as air_temperature=30:°C.');
  // An unknown unit is not changed. The error message of `storedThreshold` then lists the units of the variable.
  return {
    variable,
    value: parseDecimal(value),
    unit: unit === undefined ? undefined : (unitNamed(unit) ?? unit),
  };
}

function parseCount(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1.');
  return Number(text);
}

function parseDays(text: string): number {
  if (!/^\d{1,3}$/.test(text)) throw new InvalidArgumentError('It must be a whole number of days.');
  return Number(text);
}

function parseTime(text: string): number {
  const duration = parseDuration(text);
  if (duration === undefined || duration.months > 0)
    throw new InvalidArgumentError('It must be a time such as 10min, 2h or PT90S.');
  return duration.days * MILLISECONDS.day + duration.milliseconds;
}

function invalid(message: string): DomainError {
  return new DomainError('REQUEST_INVALID', message);
}
