import type { TargetedEvent } from 'preact';
import { useRef } from 'preact/hooks';
import { adminRequest } from './admin-request.js';
import { useSave, type Version, versionOf } from './conflict.js';
import { proposedId } from './connect/makes.js';
import { FormField, FormEnd, InputFault, formValues } from './form.js';
import { PlaceFields } from './place-fields.js';
import {
  currentBody,
  DRAFT_FIELDS,
  heightsText,
  limitsText,
  settingText,
  type StationBody,
  stationBody,
  type StationReply,
} from './station-draft.js';
import { FurtherSettings } from './station-settings.js';
import { useAdminText } from './text.js';

/** Fields that most new stations leave empty. */
const MORE_FIELDS = ['reporting_interval', 'sensor_heights', 'limits', 'position_decimals'];

/** The form of a new or an existing station. */
export function StationForm({
  existing: stored,
  onSaved,
  onCancel,
}: {
  readonly existing: Version<StationReply> | undefined;
  readonly onSaved: (id: string, name: string) => void;
  /** Undefined if there is nothing to go back to. */
  readonly onCancel: (() => void) | undefined;
}) {
  const text = useAdminText();
  const { fields, hints } = text.stations;
  const existing = stored?.body;
  const station = existing?.station;
  const {
    run,
    save: saveVersion,
    isBusy,
    fault,
    faults,
    dialog,
  } = useSave<StationBody>({
    fields: DRAFT_FIELDS,
    read: async (id) => versionOf(await readStation(id), currentBody),
    put: (id, body, header) =>
      adminRequest((api) => api.put('/v1/stations/{id}', { path: { id }, body, header })),
    exists: text.stations.exists,
    label: (name) => (fields as Readonly<Record<string, string>>)[name] ?? name,
    show: settingText,
    onSaved: (id, { name }) => onSaved(id, name),
  });
  const save = (event: SubmitEvent) => {
    const values = formValues(event);
    void run(async () => {
      const draft = stationBody(values, existing);
      if ('line' in draft)
        throw new InputFault(`body.${draft.field}: ${text.stations.wrongLine(draft.line)}`);
      const base = stored && { ...stored, body: currentBody(stored.body) };
      await saveVersion(station?.id ?? values['id'] ?? '', draft.body, base);
    });
  };
  const isIdTyped = useRef(false);
  const proposeId = ({ currentTarget: { elements }, target }: TargetedEvent<HTMLFormElement>) => {
    const id = elements.namedItem('id');
    if (!(id instanceof HTMLInputElement && target instanceof HTMLInputElement)) return;
    if (target === id) isIdTyped.current = id.value !== '';
    else if (target.name === 'name' && !isIdTyped.current) id.value = proposedId(target.value);
  };
  const field = (name: (typeof DRAFT_FIELDS)[number], initial: string | number | null | undefined) => ({
    name,
    label: fields[name],
    fault: faults[name],
    hint: (hints as Readonly<Record<string, string | undefined>>)[name],
    defaultValue: initial === null || initial === undefined ? '' : String(initial),
  });
  const number = { type: 'number', step: 'any', inputMode: 'decimal' } as const;
  return (
    <>
      <form method="post" class="editor" onSubmit={save} onInput={proposeId}>
        <h3>{station === undefined ? text.stations.add : text.stations.changeOf(station.name)}</h3>
        <FormField {...field('name', station?.name)} required />
        {station === undefined && (
          <FormField {...field('id', '')} required maxLength={64} autocapitalize="none" />
        )}
        <PlaceFields>
          <FormField {...field('latitude', station?.latitude)} {...number} required />
          <FormField {...field('longitude', station?.longitude)} {...number} required />
          <FormField {...field('elevation', station?.elevation)} {...number} />
        </PlaceFields>
        <FormField {...field('time_zone', station?.time_zone ?? browserZone())} required list="time-zones" />
        <datalist id="time-zones">
          {Intl.supportedValuesOf('timeZone').map((zone) => (
            <option key={zone} value={zone} />
          ))}
        </datalist>
        <details open={station !== undefined || MORE_FIELDS.some((name) => faults[name] !== undefined)}>
          <summary>{text.stations.moreFields}</summary>
          <FormField
            {...field('reporting_interval', station?.reporting_interval)}
            type="number"
            min={1}
            inputMode="numeric"
          />
          <FormField {...field('sensor_heights', heightsText(existing?.sensor_heights ?? {}))} lines={3} />
          <FormField {...field('limits', limitsText(existing?.limits ?? {}))} lines={3} />
          <label class="tick">
            <input
              type="checkbox"
              name="visibility"
              value="hidden"
              defaultChecked={existing?.visibility === 'hidden'}
            />{' '}
            {fields.visibility}
          </label>
          <FormField
            {...field('position_decimals', existing?.position_decimals)}
            type="number"
            min={0}
            max={3}
            inputMode="numeric"
          />
        </details>
        {station !== undefined && <FormField {...field('since', '')} type="date" />}
        <FurtherSettings existing={existing} faults={faults} />
        <FormEnd fault={fault} isBusy={isBusy} onCancel={onCancel} />
      </form>
      {dialog}
    </>
  );
}

/** Requests a station without its inventory, so that the ETag changes only with the settings. */
export function readStation(id: string): Promise<Response> {
  const options = { path: { id }, query: { inventory: 'false' } } as const;
  return adminRequest((api) => api.response('/v1/stations/{id}', options));
}

/** The time zone of the browser. Most users add a station in their own time zone. */
function browserZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
