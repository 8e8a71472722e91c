import type { Schemas } from '../../api.js';
import { useAdminText } from '../text.js';
import { adminRequest } from '../admin-request.js';
import { useSave, type Version, versionOf } from '../conflict.js';
import { FormEnd, FormField, formValues, InputFault } from '../form.js';
import { HOOK_FIELDS, hookBody, hookDraft, type HookDraft, storedDraft, storedTarget } from './hook-draft.js';
import { StationsField } from '../station-select.js';
import { type SentTarget, targetText } from './target-draft.js';
import { TargetFields } from './target-field.js';
import { usePanelsText } from './text.js';

type Draft = HookDraft & Readonly<Record<string, unknown>>;
type Stored = Schemas['HookSettings'];

export function readHook(name: string): Promise<Response> {
  return adminRequest((api) => api.response('/v1/hooks/{name}', { path: { name } }));
}

export const toHook = ({ hook }: { readonly hook: Stored }) => hook;

/** The form of a new or an existing hook. */
export function HookForm({
  kinds,
  existing: stored,
  onSaved,
  onCancel,
}: {
  readonly kinds: readonly Schemas['TargetKind'][];
  readonly existing: Version<Stored> | undefined;
  readonly onSaved: () => void;
  readonly onCancel: () => void;
}) {
  const { hooks: text } = usePanelsText();
  const { answers } = useAdminText();
  const existing = stored?.body;
  const { run, save, isBusy, fault, faults, dialog } = useSave<Draft>({
    fields: HOOK_FIELDS,
    read: async (name) => versionOf(await readHook(name), (json) => ({ ...storedDraft(toHook(json)) })),
    put: (name, draft, header) =>
      adminRequest((api) => api.put('/v1/hooks/{name}', { path: { name }, body: hookBody(draft), header })),
    exists: (name) => `body.name: ${text.exists(name)}`,
    label: (field) => text.conflicts[field as keyof HookDraft],
    show: (value, field) => {
      if (value === null) return text.allStations;
      if (typeof value === 'boolean') return answers[value ? 'yes' : 'no'];
      if (field === 'stations') return (value as readonly string[]).join(', ');
      return targetText(value as SentTarget | string);
    },
    onSaved,
  });
  const submit = (event: SubmitEvent) => {
    const values = formValues(event);
    const name = existing?.name ?? values['name'] ?? '';
    if (values['stations'] === '')
      return void run(() => Promise.reject(new InputFault(`body.stations: ${text.noStation}`)));
    const base = stored && { ...stored, body: { ...storedDraft(stored.body) } };
    void run(() => save(name, { ...hookDraft(values, existing) }, base));
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
            maxLength={40}
            autocapitalize="none"
            required
          />
        )}
        <StationsField
          label={text.fields.stations}
          hint={text.stationsHint}
          fault={faults['stations']}
          initial={existing?.stations ?? '*'}
          all={text.allStations}
        />
        <label class="tick">
          <input type="checkbox" name="forecasts" defaultChecked={existing?.forecasts ?? false} />{' '}
          {text.fields.forecasts}
        </label>
        <TargetFields kinds={kinds} stored={existing && storedTarget(existing)} faults={faults} />
        <FormEnd fault={fault} isBusy={isBusy} onCancel={onCancel} />
      </form>
      {dialog}
    </>
  );
}
