import type { TargetedEvent } from 'preact';
import { useRef } from 'preact/hooks';
import { adminRequest } from './admin-request.js';
import {
  ConflictDialog,
  isConflict,
  preconditionOf,
  useConflict,
  type Version,
  versionOf,
} from './conflict.js';
import { proposedId } from './connect/makes.js';
import { FormField, FormEnd, InputFault, useAction, formValues } from './form.js';
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

/** The form of a new or an existing station. @param etag ETag of the reply from which the form was filled */
export function StationForm({
  existing,
  etag,
  onSaved,
  onCancel,
}: {
  readonly existing: StationReply | undefined;
  readonly etag?: string | null;
  readonly onSaved: (id: string, name: string) => void;
  readonly onCancel: () => void;
}) {
  const text = useAdminText();
  const { fields, hints } = text.stations;
  const { run, isBusy, fault, faults } = useAction(DRAFT_FIELDS);
  const station = existing?.station;
  const put = (id: string, body: StationBody, header: Record<string, string>) =>
    adminRequest((api) => api.put('/v1/stations/{id}', { path: { id }, body, header }));
  const {
    save: saveVersion,
    conflict,
    dismiss,
  } = useConflict<StationBody>(
    async () => versionOf(await readStation(station?.id ?? ''), currentBody),
    (body, header) => put(station?.id ?? '', body, header),
  );
  const saveChange = async (body: StationBody, base: Version<StationBody>) => {
    if (await saveVersion(body, base)) onSaved(station?.id ?? '', body.name);
  };
  const save = (event: SubmitEvent) => {
    const values = formValues(event);
    void run(async () => {
      const draft = stationBody(values, existing);
      if ('line' in draft)
        throw new InputFault(`body.${draft.field}: ${text.stations.wrongLine(draft.line)}`);
      if (existing !== undefined) {
        await saveChange(draft.body, { body: currentBody(existing), etag: etag ?? null });
        return;
      }
      const id = values['id'] ?? '';
      await put(id, draft.body, preconditionOf(undefined)).catch((error: unknown) => {
        throw isConflict(error) ? new InputFault(text.stations.exists(id)) : error;
      });
      onSaved(id, draft.body.name);
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
      {conflict !== undefined && (
        <ConflictDialog
          conflict={conflict}
          label={(name) => (fields as Readonly<Record<string, string>>)[name] ?? name}
          show={settingText}
          fault={fault}
          isBusy={isBusy}
          onSave={(body, base) => void run(() => saveChange(body, base))}
          onCancel={dismiss}
        />
      )}
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
