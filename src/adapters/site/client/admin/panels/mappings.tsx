import { useState } from 'preact/hooks';
import type { Schemas } from '../../api.js';
import { adminRequest } from '../admin-request.js';
import { FormEnd, FormField, formValues, InputFault, Table, useAction, useList } from '../form.js';
import { useAdminText } from '../text.js';
import { useVariables } from './fields.js';
import { mappingLines, parseMappings } from './mapping-draft.js';
import { usePanelsText } from './text.js';

type Key = Schemas['UploadKey'];

const WIND_UNITS = ['km/h', 'm/s'] as const;
const GAUGES = ['tipping', 'piezo'] as const;

/** Maps fields of the uploads of a key to variables, and sets the unit of the wind and the rain gauge. */
export function Mappings() {
  const admin = useAdminText();
  const { mappings: text } = usePanelsText();
  const keys = useList((api) => api.get('/v1/upload-keys'));
  const uploads = useList((api) => api.get('/v1/uploads'));
  const [edited, setEdited] = useState<Key>();
  const unmapped = (number: number) =>
    uploads.reply?.uploads.find(({ key }) => key === number)?.unmapped.map(({ field }) => field) ?? [];
  return (
    <>
      <p class="quiet">{text.meaning}</p>
      {keys.fault ?? uploads.fault}
      {edited !== undefined && (
        <MappingForm
          key={edited.number}
          edited={edited}
          onCancel={() => setEdited(undefined)}
          onSaved={() => {
            setEdited(undefined);
            void keys.reload();
          }}
        />
      )}
      {keys.reply?.upload_keys.length === 0 && <p>{admin.keys.none}</p>}
      {keys.reply !== undefined && keys.reply.upload_keys.length > 0 && (
        <Table label={admin.sections.mappings} heads={Object.values(text.columns)}>
          {keys.reply.upload_keys.map((key) => (
            <tr key={key.number}>
              <th scope="row">{key.number}</th>
              <td>{key.station ?? admin.keys.stationRemoved}</td>
              <td class="text">{mappingLines(key.mappings) || '–'}</td>
              <td class="text">{unmapped(key.number).join(', ') || '–'}</td>
              <td class="buttons">
                <button
                  type="button"
                  onClick={() => setEdited(key)}
                  aria-label={`${admin.change}: ${key.number}`}
                >
                  {admin.change}
                </button>
              </td>
            </tr>
          ))}
        </Table>
      )}
    </>
  );
}

function MappingForm({
  edited,
  onSaved,
  onCancel,
}: {
  readonly edited: Key;
  readonly onSaved: () => void;
  readonly onCancel: () => void;
}) {
  const { mappings: text } = usePanelsText();
  const variables = useVariables();
  const { run, isBusy, fault, faults } = useAction(['mappings']);
  const { settings } = edited;
  const submit = (event: SubmitEvent) => {
    const { mappings = '', wind, gauge } = formValues(event);
    void run(async () => {
      const parsed = parseMappings(mappings);
      if (typeof parsed === 'string') throw new InputFault(`body.mappings: ${text.wrongLine(parsed)}`);
      const body = {
        mappings: [...parsed],
        settings: {
          wind_unit: wind === 'm/s' ? ('m/s' as const) : ('km/h' as const),
          gauge: GAUGES.find((name) => name === gauge) ?? null,
        },
      };
      await adminRequest((api) =>
        api.put('/v1/upload-keys/{id}/mappings', { path: { id: edited.number }, body }),
      );
      onSaved();
    });
  };
  return (
    <form method="post" class="editor" onSubmit={submit}>
      <h3>{text.changeOf(edited.number)}</h3>
      <FormField
        name="mappings"
        lines={4}
        label={text.fields.mappings}
        hint={text.hint}
        fault={faults['mappings']}
        defaultValue={mappingLines(edited.mappings)}
      />
      <div class="row">
        <FormField
          name="wind"
          label={text.fields.wind}
          defaultValue={settings.wind_unit}
          choices={WIND_UNITS.map((unit) => [unit, unit])}
        />
        <FormField
          name="gauge"
          label={text.fields.gauge}
          defaultValue={settings.gauge ?? ''}
          choices={[
            ['', text.gauges.automatic],
            ...GAUGES.map((gauge) => [gauge, text.gauges[gauge]] as const),
          ]}
        />
      </div>
      <details>
        <summary>{text.names}</summary>
        <p>{variables.map(({ name, units }) => `${name} (${units.join(', ')})`).join(' · ')}</p>
      </details>
      <FormEnd fault={fault} isBusy={isBusy} onCancel={onCancel} />
    </form>
  );
}
