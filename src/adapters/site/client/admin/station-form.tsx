import { WeatherdError } from '../api.js';
import { adminRequest } from './admin-request.js';
import { FormField, FormEnd, InputFault, useAction, formValues } from './form.js';
import { heightsText, limitsText, DRAFT_FIELDS, stationBody, type StationReply } from './station-draft.js';
import { useAdminText } from './text.js';

/** The form of a new or an existing station. @param etag ETag of the reply from which the form was filled */
export function StationForm({
  existing,
  etag,
  onSaved,
  onCancel,
}: {
  readonly existing: StationReply | undefined;
  readonly etag?: string | null;
  readonly onSaved: (id: string) => void;
  readonly onCancel: () => void;
}) {
  const text = useAdminText();
  const { fields, hints } = text.stations;
  const { run, isBusy, fault, faults } = useAction(DRAFT_FIELDS);
  const station = existing?.station;
  const save = (event: SubmitEvent) => {
    const values = formValues(event);
    void run(async () => {
      const draft = stationBody(values, existing);
      if ('line' in draft)
        throw new InputFault(`body.${draft.field}: ${text.stations.wrongLine(draft.line)}`);
      const id = station?.id ?? values['id'] ?? '';
      const header = preconditionOf(existing !== undefined, etag);
      try {
        await adminRequest((api) => api.put('/v1/stations/{id}', { path: { id }, body: draft.body, header }));
      } catch (error) {
        if (!(error instanceof WeatherdError) || error.code !== 'PRECONDITION_FAILED') throw error;
        throw new InputFault(
          existing === undefined ? text.stations.exists(id) : text.stations.changedMeanwhile,
        );
      }
      onSaved(id);
    });
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
    <form method="post" class="editor" onSubmit={save}>
      <h3>{station === undefined ? text.stations.add : text.stations.changeOf(station.name)}</h3>
      {station === undefined && (
        <FormField {...field('id', '')} required maxLength={64} autocapitalize="none" />
      )}
      <FormField {...field('name', station?.name)} required />
      <div class="row">
        <FormField {...field('latitude', station?.latitude)} {...number} required />
        <FormField {...field('longitude', station?.longitude)} {...number} required />
        <FormField {...field('elevation', station?.elevation)} {...number} />
      </div>
      <div class="row">
        <FormField {...field('time_zone', station?.time_zone ?? browserZone())} required list="time-zones" />
        <FormField
          {...field('reporting_interval', station?.reporting_interval)}
          type="number"
          min={1}
          inputMode="numeric"
        />
      </div>
      <datalist id="time-zones">
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
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
      {station !== undefined && <FormField {...field('since', '')} type="date" />}
      <FormEnd fault={fault} isBusy={isBusy} onCancel={onCancel} />
    </form>
  );
}

/**
 * The precondition of the request: a new station must not exist yet; an existing station must not have changed since it was read.
 */
function preconditionOf(exists: boolean, etag: string | null | undefined) {
  if (!exists) return { 'If-None-Match': '*' };
  // A proxy that compresses replies makes ETags weak, but If-Match needs strong ETags (RFC 9110, section 13.1.1). So the mark
  // `W/` of a weak ETag is removed.
  return typeof etag !== 'string' ? {} : { 'If-Match': etag.replace(/^W\//, '') };
}

/** The time zone of the browser. Most users add a station in their own time zone. */
function browserZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
