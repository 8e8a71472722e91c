import type { NoticeKind } from '#domain/weather/quality/notices/notice.js';
import type { Options, Schemas } from '../../api.js';
import { type StoredTarget, TARGET_SETTINGS, targetDraft, type TargetDraft } from './target-draft.js';

export type AlarmBody = Options<'/v1/alarms/{name}', 'put'>[0]['body'];
type Condition = AlarmBody['condition'];

export interface AlarmDraft {
  readonly station: string | null;
  readonly condition: Condition;
  readonly target: TargetDraft;
}

export const ALARM_KINDS = [
  'below',
  'above',
  'forecast_below',
  'forecast_above',
  'silent',
  'failed',
  'notice',
  'battery',
] as const;

/** The choice of the form for a condition. A forecast has one for each side of its threshold. */
export function kindOf({ kind, comparison }: Schemas['AlarmCondition']): (typeof ALARM_KINDS)[number] {
  return kind === 'forecast' ? `forecast_${comparison ?? 'below'}` : kind;
}

/** The names of the fields of the form. */
export const ALARM_FIELDS = [
  'name',
  'station',
  'threshold',
  'clear',
  'intervals',
  'days',
  'within',
  'probability',
  ...TARGET_SETTINGS,
];

/** Converts the values of the form. Empty fields get the defaults of the API. */
export function alarmDraft(
  values: Readonly<Record<string, string>>,
  stored: Schemas['Alarm'] | undefined,
): AlarmDraft {
  return {
    station: values['station'] || null,
    condition: conditionOf(values, stored),
    target: targetDraft(values, storedTarget(stored)),
  };
}

function conditionOf(
  values: Readonly<Record<string, string>>,
  stored: Schemas['Alarm'] | undefined,
): Condition {
  const { kind, variable = '', unit = '' } = values;
  const numberOf = (name: string) => Number((values[name] ?? '').replace(',', '.'));
  if (kind === 'silent') return { kind, intervals: numberOf('intervals') };
  // The form has no field for the charge, so a stored one is kept.
  if (kind === 'battery') return batteryOf(stored?.condition);
  if (kind === 'failed')
    return { kind, variable: variable || null, suspect: values['suspect'] !== undefined };
  if (kind === 'notice')
    return {
      kind,
      notice: (values['notice'] || null) as NoticeKind | null,
      variable: variable || null,
      days: numberOf('days'),
    };
  if (kind === 'forecast_below' || kind === 'forecast_above')
    return {
      kind: 'forecast',
      comparison: kind === 'forecast_above' ? 'above' : 'below',
      variable,
      threshold: numberOf('threshold'),
      ...(unit !== '' && { unit }),
      within: numberOf('within') * 3600,
      probability: numberOf('probability') / 100,
    };
  return {
    kind: kind === 'above' ? kind : 'below',
    variable,
    threshold: numberOf('threshold'),
    clear: numberOf((values['clear'] ?? '') === '' ? 'threshold' : 'clear'),
    ...(unit !== '' && { unit }),
    for: numberOf('minutes') * 60,
  };
}

function batteryOf(stored: Schemas['AlarmCondition'] | undefined): Condition {
  const below = stored?.kind === 'battery' ? stored.below : undefined;
  return { kind: 'battery', ...(below !== undefined && { below }) };
}

/** The target of a stored alarm; undefined if there is none. */
export function storedTarget(alarm: Schemas['Alarm'] | undefined): StoredTarget | undefined {
  if (!alarm?.target) return undefined;
  const { kind, service = kind, shown } = alarm.target;
  return { kind: service, shown };
}

/** Converts a stored alarm, so that a form can compare it with its own values. */
export function storedDraft({ station, condition, target }: Schemas['Alarm']): AlarmDraft {
  const { kind, variable = null, suspect = false, intervals = 0, notice = null, days = 0 } = condition;
  const { threshold = 0, clear = threshold, unit = '', for: seconds = 0 } = condition;
  const { comparison = 'below', within = 0, probability = 0 } = condition;
  const stored: Condition =
    kind === 'battery'
      ? batteryOf(condition)
      : kind === 'silent'
        ? { kind, intervals }
        : kind === 'failed'
          ? { kind, variable, suspect }
          : kind === 'notice'
            ? { kind, notice, variable, days }
            : kind === 'forecast'
              ? { kind, comparison, variable: variable ?? '', threshold, unit, within, probability }
              : { kind, variable: variable ?? '', threshold, clear, unit, for: seconds };
  return { station, condition: stored, target: target?.shown ?? null };
}

export function alarmBody({ station, condition, target }: AlarmDraft): AlarmBody {
  return typeof target === 'string'
    ? { station, condition, keep_target: true, target: null }
    : { station, condition, target, keep_target: false };
}
