import { useState } from 'preact/hooks';
import type { Schemas } from '../../api.js';
import { adminRequest } from '../admin-request.js';
import {
  ConflictDialog,
  isConflict,
  preconditionOf,
  useConflict,
  type Version,
  versionOf,
} from '../conflict.js';
import { FormEnd, FormField, formValues, InputFault, useAction } from '../form.js';
import { HOOK_FIELDS, hookBody, hookDraft, type HookDraft, SERVICES, storedDraft } from './hook-draft.js';
import { UrlFields } from './target-field.js';
import { usePanelsText } from './text.js';

type Draft = HookDraft & Readonly<Record<string, unknown>>;
type Stored = Schemas['HookSettings'];

export function readHook(name: string): Promise<Response> {
  return adminRequest((api) => api.response('/v1/hooks/{name}', { path: { name } }));
}

/** The form of a new or an existing hook. */
export function HookForm({
  existing,
  etag,
  onSaved,
  onCancel,
}: {
  readonly existing: Stored | undefined;
  readonly etag: string | null;
  readonly onSaved: () => void;
  readonly onCancel: () => void;
}) {
  const { hooks: text, target: targetText } = usePanelsText();
  const [target, setTarget] = useState(existing === undefined ? 'post' : 'keep');
  const { run, isBusy, fault, faults } = useAction(HOOK_FIELDS);
  const put = (name: string, draft: HookDraft, header: Record<string, string>) =>
    adminRequest((api) => api.put('/v1/hooks/{name}', { path: { name }, body: hookBody(draft), header }));
  const { save, conflict, dismiss } = useConflict<Draft>(
    async () =>
      versionOf(await readHook(existing?.name ?? ''), ({ hook }: { hook: Stored }) => ({
        ...storedDraft(hook),
      })),
    (draft, header) => put(existing?.name ?? '', draft, header),
  );
  const saveChange = async (draft: Draft, base: Version<Draft>) => {
    if (await save(draft, base)) onSaved();
  };
  const submit = (event: SubmitEvent) => {
    const values = formValues(event);
    void run(async () => {
      const draft = { ...hookDraft(values, existing) };
      if (existing !== undefined)
        return await saveChange(draft, { body: { ...storedDraft(existing) }, etag });
      const name = values['name'] ?? '';
      await put(name, draft, preconditionOf(undefined)).catch((error: unknown) => {
        throw isConflict(error) ? new InputFault(`body.name: ${text.exists(name)}`) : error;
      });
      onSaved();
    });
  };
  const show = (value: unknown, field: string) => {
    if (field === 'stations') return (value as readonly string[]).join(', ');
    if (typeof value === 'string') return value;
    const { post, upload } = value as Exclude<HookDraft['target'], string>;
    return post?.url ?? `${upload?.service ?? ''} ${upload?.account ?? ''}`;
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
        <FormField
          name="stations"
          label={text.fields.stations}
          hint={text.stationsHint}
          fault={faults['stations']}
          defaultValue={existing?.stations?.join(', ') ?? ''}
        />
        <FormField
          name="target"
          label={targetText.label}
          defaultValue={target}
          choices={[
            ...(existing === undefined ? [] : [['keep', targetText.keep(existing.target)] as const]),
            ['post', targetText.post],
            ...SERVICES.map((service) => [service, targetText.services[service]] as const),
          ]}
          onChange={setTarget}
        />
        {target === 'post' && <UrlFields fault={faults['url']} />}
        {target !== 'post' && target !== 'keep' && (
          <div class="row">
            <FormField name="account" label={text.fields.account} fault={faults['account']} required />
            <FormField
              name="key"
              type="password"
              autocomplete="new-password"
              label={text.fields.key}
              fault={faults['key']}
              required
            />
          </div>
        )}
        <FormEnd fault={fault} isBusy={isBusy} onCancel={onCancel} />
      </form>
      {conflict !== undefined && (
        <ConflictDialog
          conflict={conflict}
          label={(field) => text.conflicts[field as keyof HookDraft]}
          show={show}
          fault={fault}
          isBusy={isBusy}
          onSave={(draft, base) => void run(() => saveChange(draft, base))}
          onCancel={dismiss}
        />
      )}
    </>
  );
}
