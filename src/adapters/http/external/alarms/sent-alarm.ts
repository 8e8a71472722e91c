import { z } from 'zod';
import type { AlarmReplacement } from '#application/alarms/put-alarm.js';
import { DomainError } from '#domain/domain-error.js';
import { storedForecast, storedThreshold, variableOf } from '#application/alarms/sent-threshold.js';
import { type Condition, NOTICE_DAYS } from '#domain/alarms/condition.js';
import {
  FORECAST_ALARM_VARIABLES,
  FORECAST_PROBABILITY,
  FORECAST_WITHIN,
} from '#domain/alarms/forecast-limits.js';
import { MILLISECONDS } from '#domain/time.js';
import { NOTICE_KINDS } from '#domain/weather/quality/notices/notice.js';
import { sentMessageTarget, toTarget } from '../hooks/target-fields.js';

const threshold = (kind: 'above' | 'below') =>
  z.strictObject({
    kind: z.literal(kind),
    variable: z.string(),
    threshold: z.number(),
    clear: z.number().optional().describe('The value at which the alarm clears. Default: `threshold`'),
    unit: z.string().optional().describe('Unit of `threshold` and `clear`. Default: the stored unit'),
    for: z
      .number()
      .min(0)
      .optional()
      .describe('Seconds for which all values must be beyond the threshold. Default: one value is enough'),
  });

/**
 * An alarm in a request. The target cannot be a program: a program can be set as target only with the command line on the machine
 * of the service.
 */
export const sentAlarm = z.strictObject({
  station: z.string().nullable().describe('Id of the station; null for all stations'),
  condition: z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('silent'),
      intervals: z.int().describe('Number of reporting intervals'),
    }),
    z.strictObject({
      kind: z.literal('failed'),
      variable: z.string().nullable().default(null).describe('null for any variable, which is the default'),
      suspect: z.boolean().default(false).describe('Whether suspect values count too'),
    }),
    z.strictObject({
      kind: z.literal('notice'),
      notice: z
        .enum(NOTICE_KINDS)
        .nullable()
        .default(null)
        .describe('Kind of the notice. null for any kind, which is the default'),
      variable: z.string().nullable().default(null).describe('null for any variable, which is the default'),
      days: z
        .int()
        .default(NOTICE_DAYS.default)
        .describe('Days after its begin for which a notice whose cause has ended raises the alarm'),
    }),
    z.strictObject({
      kind: z.literal('battery'),
      below: z.int().optional().describe('Charge in percent below which a battery is low. The default is 10'),
    }),
    threshold('above'),
    threshold('below'),
    z.strictObject({
      kind: z.literal('forecast'),
      comparison: z.enum(['above', 'below']),
      variable: z.string().describe(`One of ${FORECAST_ALARM_VARIABLES.join(', ')}`),
      threshold: z.number(),
      unit: z.string().optional().describe('Unit of `threshold`. Default: the stored unit'),
      within: z
        .number()
        .default(FORECAST_WITHIN.default / MILLISECONDS.second)
        .describe('Seconds from now on in which the value is expected'),
      probability: z
        .number()
        .default(FORECAST_PROBABILITY.default)
        .describe('Smallest chance that raises the alarm, from 0.01 to 0.99'),
    }),
  ]),
  target: sentMessageTarget
    .nullable()
    .default(null)
    .describe('Target of messages. null (the default): the alarm is only shown'),
  keep_target: z
    .boolean()
    .default(false)
    .describe('Whether a replaced alarm keeps its target. The request then has no `target`'),
});

type SentAlarm = z.infer<typeof sentAlarm>;

/** @throws DomainError REQUEST_INVALID for an unknown variable or unit, and for a target without its parts */
export function toAlarmRequest(name: string, sent: SentAlarm): AlarmReplacement {
  const { station, condition, target, keep_target: keeps } = sent;
  if (keeps && target !== null)
    throw new DomainError('REQUEST_INVALID', 'A request with keep_target has no target.');
  return {
    name,
    station,
    condition: toCondition(condition),
    target: keeps ? 'keep' : target && toTarget(target),
  };
}

function toCondition(sent: SentAlarm['condition']): Condition {
  if (sent.kind === 'silent' || sent.kind === 'battery') return sent;
  if (sent.kind === 'failed' || sent.kind === 'notice')
    return { ...sent, variable: sent.variable === null ? null : variableOf(sent.variable).number };
  if (sent.kind === 'forecast') {
    const { kind: _kind, within, ...others } = sent;
    return storedForecast({ ...others, within: within * MILLISECONDS.second, unit: sent.unit });
  }
  const { kind, variable, threshold: limit, clear = limit, unit, for: seconds = 0 } = sent;
  return storedThreshold({
    kind,
    variable,
    threshold: limit,
    clear,
    unit,
    for: seconds * MILLISECONDS.second,
  });
}
