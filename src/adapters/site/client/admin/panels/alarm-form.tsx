import { useState } from 'preact/hooks';
import { NOTICE_KINDS } from '#domain/weather/quality/notices/notice.js';
import {
  FORECAST_ALARM_VARIABLES,
  FORECAST_PROBABILITY,
  FORECAST_WITHIN,
} from '#domain/alarms/forecast-limits.js';
import type { Schemas } from '../../api.js';
import { adminRequest } from '../admin-request.js';
import { useSave, type Version, versionOf } from '../conflict.js';
import { FormEnd, FormField, formValues } from '../form.js';
import {
  ALARM_FIELDS,
  ALARM_KINDS,
  alarmBody,
  alarmDraft,
  type AlarmDraft,
  kindOf,
  storedDraft,
  storedTarget,
} from './alarm-draft.js';
import { percent, useConditionText } from './condition-text.js';
import { StationSelect } from '../station-select.js';
import { useVariables, VariableField } from './fields.js';
import { type SentTarget, targetText } from './target-draft.js';
import { TargetFields } from './target-field.js';
import { usePanelsText } from './text.js';

type Draft = AlarmDraft & Readonly<Record<string, unknown>>;

export function readAlarm(name: string): Promise<Response> {
  return adminRequest((api) => api.response('/v1/alarms/{name}', { path: { name } }));
}

export const toAlarm = ({ alarm }: { readonly alarm: Schemas['Alarm'] }) => alarm;

/** The form of a new or an existing alarm. A new alarm is a frost alarm until other values are chosen. */
export function AlarmForm({
  existing: stored,
  kinds,
  names,
  onSaved,
  onCancel,
}: {
  readonly existing: Version<Schemas['Alarm']> | undefined;
  readonly kinds: readonly Schemas['TargetKind'][];
  /** The names that are in use. */
  readonly names: readonly string[];
  readonly onSaved: () => void;
  readonly onCancel: () => void;
}) {
  const { alarms: text, target, station } = usePanelsText();
  const existing = stored?.body;
  const condition = existing?.condition;
  const [kind, setKind] = useState<string>(condition ? kindOf(condition) : 'below');
  const write = useConditionText();
  const { run, save, isBusy, fault, faults, dialog } = useSave<Draft>({
    fields: ALARM_FIELDS,
    read: async (name) => versionOf(await readAlarm(name), (json) => ({ ...storedDraft(toAlarm(json)) })),
    put: (name, draft, header) =>
      adminRequest((api) => api.put('/v1/alarms/{name}', { path: { name }, body: alarmBody(draft), header })),
    exists: (name) => `body.name: ${text.exists(name)}`,
    label: (field) => text.conflicts[field as keyof AlarmDraft],
    show: (value, field) => {
      if (value === null) return field === 'station' ? text.allStations : target.none;
      if (field === 'condition') return write(value as Schemas['AlarmCondition']);
      return targetText(value as SentTarget | string);
    },
    onSaved,
  });
  const submit = (event: SubmitEvent) => {
    const values = formValues(event);
    const name = existing?.name ?? values['name'] ?? '';
    const base = stored && { ...stored, body: { ...storedDraft(stored.body) } };
    void run(() => save(name, { ...alarmDraft(values, existing) }, base));
  };
  return (
    <>
      <form method="post" class="editor" onSubmit={submit}>
        <h3>{existing === undefined ? text.add : text.changeOf(existing.name)}</h3>
        {existing === undefined && (
          <FormField
            name="name"
            label={text.fields.name}
            hint={text.nameHint}
            fault={faults['name']}
            defaultValue={names.includes('frost') ? '' : 'frost'}
            maxLength={64}
            autocapitalize="none"
            required
          />
        )}
        <div class="row">
          <StationSelect
            label={station}
            fault={faults['station']}
            initial={existing?.station ?? ''}
            all={text.allStations}
          />
          <FormField
            name="kind"
            label={text.fields.kind}
            defaultValue={kind}
            choices={ALARM_KINDS.map((name) => [name, text.kinds[name]])}
            onChange={setKind}
          />
        </div>
        {kind === 'silent' && (
          <FormField
            name="intervals"
            type="number"
            min={1}
            label={text.fields.intervals}
            fault={faults['intervals']}
            defaultValue={String(condition?.intervals ?? 3)}
            required
          />
        )}
        {kind === 'failed' && <FailedFields condition={condition} />}
        {kind === 'notice' && <NoticeFields condition={condition} fault={faults['days']} />}
        {(kind.endsWith('below') || kind.endsWith('above')) && (
          <ThresholdFields
            key={kind.startsWith('forecast')}
            isForecast={kind.startsWith('forecast')}
            condition={condition}
            isNew={existing === undefined}
            faults={faults}
          />
        )}
        <TargetFields kinds={kinds} stored={storedTarget(existing)} isAlarm faults={faults} />
        <FormEnd fault={fault} isBusy={isBusy} onCancel={onCancel} />
      </form>
      {dialog}
    </>
  );
}

function FailedFields({ condition }: { readonly condition: Schemas['AlarmCondition'] | undefined }) {
  const { alarms: text } = usePanelsText();
  const variables = useVariables();
  return (
    <>
      <VariableField variables={variables} value={condition?.variable ?? ''} any={text.anyVariable} />
      <label class="tick">
        <input type="checkbox" name="suspect" defaultChecked={condition?.suspect ?? false} />{' '}
        {text.fields.suspect}
      </label>
    </>
  );
}

function NoticeFields({
  condition,
  fault,
}: {
  readonly condition: Schemas['AlarmCondition'] | undefined;
  readonly fault: string | undefined;
}) {
  const { alarms: text } = usePanelsText();
  const variables = useVariables();
  return (
    <>
      <div class="row">
        <FormField
          name="notice"
          label={text.kinds.notice}
          defaultValue={condition?.notice ?? ''}
          choices={[['', text.anyNotice], ...NOTICE_KINDS.map((kind) => [kind, kind] as const)]}
        />
        <VariableField variables={variables} value={condition?.variable ?? ''} any={text.anyVariable} />
      </div>
      <FormField
        name="days"
        type="number"
        min={0}
        label={text.fields.days}
        fault={fault}
        defaultValue={String(condition?.days ?? 7)}
        required
      />
    </>
  );
}

function ThresholdFields({
  isForecast,
  condition,
  isNew,
  faults,
}: {
  /** Whether the fields are those of a forecast. */
  readonly isForecast: boolean;
  readonly condition: Schemas['AlarmCondition'] | undefined;
  readonly isNew: boolean;
  readonly faults: Readonly<Record<string, string>>;
}) {
  const { alarms: text } = usePanelsText();
  const variables = useVariables().filter(
    ({ name }) => !isForecast || FORECAST_ALARM_VARIABLES.includes(name),
  );
  const [variable, setVariable] = useState(condition?.variable ?? 'air_temperature');
  const chosen = variables.find(({ name }) => name === variable);
  const isStored = condition?.variable === variable;
  const textOf = (value: number | undefined) => (value === undefined || !isStored ? '' : String(value));
  const number = { type: 'number', step: 'any', inputMode: 'decimal' } as const;
  return (
    <>
      <VariableField variables={variables} value={variable} onChange={setVariable} />
      <div class="row">
        <FormField
          {...number}
          key={variable}
          name="threshold"
          label={text.fields.threshold}
          fault={faults['threshold']}
          defaultValue={isNew && variable === 'air_temperature' ? '0' : textOf(condition?.threshold)}
          required
        />
        <FormField
          key={`unit ${variable}`}
          name="unit"
          label={text.fields.unit}
          defaultValue={(isStored ? condition?.unit : undefined) ?? chosen?.unit ?? ''}
          choices={chosen?.units.map((unit) => [unit, unit] as const) ?? []}
        />
      </div>
      {isForecast ? (
        <div class="row">
          <FormField
            {...number}
            name="within"
            min={1}
            label={text.fields.within}
            fault={faults['within']}
            defaultValue={String((condition?.within ?? FORECAST_WITHIN.default / 1000) / 3600)}
            required
          />
          <FormField
            {...number}
            name="probability"
            min={1}
            max={99}
            label={text.fields.probability}
            hint={text.probabilityHint}
            fault={faults['probability']}
            defaultValue={String(percent(condition?.probability ?? FORECAST_PROBABILITY.default))}
            required
          />
        </div>
      ) : (
        <div class="row">
          <FormField
            {...number}
            key={`clear ${variable}`}
            name="clear"
            label={text.fields.clear}
            hint={text.clearHint}
            fault={faults['clear']}
            defaultValue={textOf(condition?.clear)}
          />
          <FormField
            {...number}
            name="minutes"
            min={0}
            label={text.fields.minutes}
            hint={text.minutesHint}
            defaultValue={String((condition?.for ?? 0) / 60)}
          />
        </div>
      )}
    </>
  );
}
