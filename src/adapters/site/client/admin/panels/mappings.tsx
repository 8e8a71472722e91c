import type { Schemas } from '../../api.js';
import { adminRequest } from '../admin-request.js';
import { ChangeButton, useEditor, useSave, type Version, versionOf } from '../conflict.js';
import type { Fields } from '../conflict-model.js';
import { FormEnd, FormField, formValues, InputFault, FormFault, Table, useList } from '../form.js';
import { useAdminText } from '../text.js';
import { useVariables } from './fields.js';
import { mappingLines, parseMappings } from './mapping-draft.js';
import { usePanelsText } from './text.js';

const WIND_UNITS = ['km/h', 'm/s'] as const;
const GAUGES = ['tipping', 'piezo'] as const;

/** Maps fields of the uploads of a key to variables, and sets the unit of the wind and the rain gauge. */
export function Mappings() {
  const admin = useAdminText();
  const { mappings: text } = usePanelsText();
  const keys = useList((api) => api.get('/v1/upload-keys'));
  const uploads = useList((api) => api.get('/v1/uploads'));
  const editor = useEditor(readMappings, toDraft, keys.reload);
  const unmapped = (number: number) =>
    uploads.reply?.uploads.find(({ key }) => key === number)?.unmapped.map(({ field }) => field) ?? [];
  if (editor.form) return <MappingForm {...editor.form} unmapped={unmapped(Number(editor.form.name))} />;
  return (
    <>
      <p class="quiet">{text.meaning}</p>
      {keys.fault ?? uploads.fault}
      <FormFault>{editor.fault}</FormFault>
      <Table
        label={admin.sections.mappings}
        heads={text.columns}
        rows={keys.reply?.upload_keys}
        none={admin.keys.none}
      >
        {(key) => (
          <tr key={key.number}>
            <th scope="row">{key.number}</th>
            <td>{key.station ?? admin.keys.stationRemoved}</td>
            <td class="text">{mappingLines(key.mappings) || '–'}</td>
            <td class="text">{unmapped(key.number).join(', ') || '–'}</td>
            <td class="buttons">
              <ChangeButton name={String(key.number)} change={() => editor.change(String(key.number))} />
            </td>
          </tr>
        )}
      </Table>
    </>
  );
}

/** The mappings and settings of a key as the fields of the form. */
interface Draft extends Fields {
  readonly mappings: string;
  readonly wind: string;
  readonly gauge: string;
}

function toDraft({ mappings, settings }: Pick<Schemas['UploadKey'], 'mappings' | 'settings'>): Draft {
  return { mappings: mappingLines(mappings), wind: settings.wind_unit, gauge: settings.gauge ?? '' };
}

function readMappings(key: string): Promise<Response> {
  return adminRequest((api) => api.response('/v1/upload-keys/{id}/mappings', { path: { id: Number(key) } }));
}

function MappingForm({
  name: key,
  existing,
  unmapped,
  onSaved,
  onCancel,
}: {
  /** Number of the key. */
  readonly name: string;
  readonly existing: Version<Draft> | undefined;
  /** The fields that are not stored. */
  readonly unmapped: readonly string[];
  readonly onSaved: () => void;
  readonly onCancel: () => void;
}) {
  const { mappings: text } = usePanelsText();
  const variables = useVariables();
  const { gauges } = text;
  const nameOfGauge = (gauge: string) => (gauge === '' ? gauges.automatic : gauges[gauge as 'piezo']);
  const { run, save, isBusy, fault, faults, dialog } = useSave<Draft>({
    fields: ['mappings'],
    read: async (id) => versionOf(await readMappings(id), toDraft),
    put: async (id, draft, header) => {
      const mappings = parseMappings(draft.mappings);
      if (typeof mappings === 'string') throw new InputFault(`body.mappings: ${text.wrongLine(mappings)}`);
      const settings = {
        wind_unit: draft.wind === 'm/s' ? ('m/s' as const) : ('km/h' as const),
        gauge: GAUGES.find((gauge) => gauge === draft.gauge) ?? null,
      };
      const body = { mappings: [...mappings], settings };
      await adminRequest((api) =>
        api.put('/v1/upload-keys/{id}/mappings', { path: { id: Number(id) }, body, header }),
      );
    },
    label: (field) => text.fields[field as keyof typeof text.fields],
    show: (value, field) => (field === 'gauge' ? nameOfGauge(String(value)) : String(value)),
    onSaved,
  });
  const submit = (event: SubmitEvent) => {
    const { mappings = '', wind = '', gauge = '' } = formValues(event);
    void run(() => save(key, { mappings, wind, gauge }, existing));
  };
  return (
    <>
      <form method="post" class="editor" onSubmit={submit}>
        <h3>{text.changeOf(Number(key))}</h3>
        {unmapped.length > 0 && (
          <p>
            {text.columns.unmapped}: {unmapped.join(', ')}
          </p>
        )}
        <FormField
          name="mappings"
          lines={4}
          label={text.fields.mappings}
          hint={text.hint}
          fault={faults['mappings']}
          defaultValue={existing?.body.mappings ?? ''}
        />
        <div class="row">
          <FormField
            name="wind"
            label={text.fields.wind}
            defaultValue={existing?.body.wind ?? ''}
            choices={WIND_UNITS.map((unit) => [unit, unit])}
          />
          <FormField
            name="gauge"
            label={text.fields.gauge}
            defaultValue={existing?.body.gauge ?? ''}
            choices={['', ...GAUGES].map((gauge) => [gauge, nameOfGauge(gauge)])}
          />
        </div>
        <details>
          <summary>{text.names}</summary>
          <p>{variables.map(({ name, units }) => `${name} (${units.join(', ')})`).join(' · ')}</p>
        </details>
        <FormEnd fault={fault} isBusy={isBusy} onCancel={onCancel} />
      </form>
      {dialog}
    </>
  );
}
