import { useState } from 'preact/hooks';
import type { Schemas } from '../../api.js';
import { adminRequest } from '../admin-request.js';
import { useSave, type Version, versionOf } from '../conflict.js';
import { FormEnd, FormField, formValues, InputFault } from '../form.js';
import { mappingLines, parseMappings } from '../panels/mapping-draft.js';
import { usePanelsText } from '../panels/text.js';
import { SettingFields } from '../setting-fields.js';
import { StationSelect } from '../station-select.js';
import {
  secretField,
  SETTINGS,
  sourceBody,
  type SourceBody,
  type SourceKind,
  storedBody,
} from './source-draft.js';
import { useSourcesText } from './text.js';

type Draft = SourceBody & Readonly<Record<string, unknown>>;
type Stored = Schemas['SourceSettings'];

export function readSource(name: string): Promise<Response> {
  return adminRequest((api) => api.response('/v1/sources/{name}', { path: { name } }));
}

export const toSource = ({ source }: { readonly source: Stored }) => source;

/** The form of a new or an existing source. It has the fields that the chosen kind needs. */
export function SourceForm({
  kinds,
  existing: stored,
  onSaved,
  onCancel,
}: {
  readonly kinds: readonly SourceKind[];
  readonly existing: Version<Stored> | undefined;
  readonly onSaved: () => void;
  readonly onCancel: () => void;
}) {
  const text = useSourcesText();
  const { mappings: mapped } = usePanelsText();
  const existing = stored?.body;
  const [kindName, setKind] = useState(existing?.kind ?? kinds[0]?.name ?? '');
  const kind = kinds.find(({ name }) => name === kindName);
  const { run, save, isBusy, fault, faults, dialog } = useSave<Draft>({
    fields: ['name', 'station', 'every', 'mappings', ...SETTINGS],
    read: async (name) => versionOf(await readSource(name), (json) => ({ ...storedBody(toSource(json)) })),
    put: (name, body, header) =>
      adminRequest((api) => api.put('/v1/sources/{name}', { path: { name }, body, header })),
    exists: (name) => `body.name: ${text.exists(name)}`,
    label: (field) =>
      field === 'mappings' ? mapped.fields.mappings : text.fields[field as keyof typeof text.fields],
    show: (value) => {
      if (Array.isArray(value)) return mappingLines(value as Stored['mappings']);
      return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
    },
    onSaved,
  });
  const submit = (event: SubmitEvent) => {
    const values = formValues(event);
    if (kind === undefined) return;
    const base = stored && { ...stored, body: { ...storedBody(stored.body) } };
    void run(async () => {
      const mappings = parseMappings(values['mappings'] ?? '');
      if (typeof mappings === 'string') throw new InputFault(`body.mappings: ${mapped.wrongLine(mappings)}`);
      const body = { ...sourceBody(values, kind, existing, [...mappings]) };
      await save(existing?.name ?? values['name'] ?? '', body, base);
    });
  };
  return (
    <>
      <form method="post" class="editor" onSubmit={submit}>
        <h3>{existing === undefined ? text.add : text.changeOf(existing.name)}</h3>
        {existing === undefined && (
          <>
            <FormField
              name="kind"
              label={text.fields.kind}
              choices={kinds.map(({ name, title, reach }) => [name, `${title} – ${text[reach]}`] as const)}
              onChange={setKind}
            />
            <FormField
              name="name"
              label={text.fields.name}
              hint={text.nameHint}
              fault={faults['name']}
              maxLength={40}
              autocapitalize="none"
              required
            />
          </>
        )}
        <StationSelect
          label={text.fields.station}
          fault={faults['station']}
          initial={existing?.station ?? ''}
        />
        {kind && (
          <SettingFields
            key={kind.name}
            settings={[
              ...kind.settings.map(({ name, required }) => ({
                name,
                required,
                ...(name === 'file_port' && { type: 'number' as const }),
                label: text.fields[name],
                hint: (text.hints as Readonly<Record<string, string>>)[name],
                value: String(existing?.[name] ?? ''),
              })),
              ...kind.secrets.map(({ name, required }) => ({
                name: secretField(name),
                required,
                isSecret: true,
                label: name,
              })),
            ]}
            kept={existing !== undefined}
            faults={faults}
          />
        )}
        <FormField
          name="every"
          type="number"
          min={kind?.shortest_interval ?? 1}
          label={text.fields.every}
          hint={text.hints.every}
          defaultValue={String(existing?.every ?? '')}
          fault={faults['every']}
        />
        <FormField
          name="mappings"
          lines={4}
          label={text.optional(mapped.fields.mappings)}
          hint={mapped.hint}
          fault={faults['mappings']}
          defaultValue={mappingLines(existing?.mappings ?? [])}
        />
        <FormEnd fault={fault} isBusy={isBusy} onCancel={onCancel} />
      </form>
      {dialog}
    </>
  );
}
