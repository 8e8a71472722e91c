import { useState } from 'preact/hooks';
import type { Options, Schemas } from '../api.js';
import { adminRequest } from './admin-request.js';
import { useSave, type Version, versionOf } from './conflict.js';
import { Dialog } from '../parts/dialog.js';
import { FormField, FormEnd, formValues } from './form.js';
import { StationsField } from './station-select.js';
import { useAdminText } from './text.js';

type User = Schemas['User'];

type UserBody = Options<'/v1/users/{name}', 'put'>[0]['body'];

const FIELDS = ['name', 'email', 'password', 'stations'];

export const toUser = ({ user }: { readonly user: User }) => user;

/** The form of a new or an existing user. */
export function UserForm({
  existing: stored,
  onSaved,
  onCancel,
}: {
  readonly existing: Version<User> | undefined;
  readonly onSaved: () => void;
  readonly onCancel: () => void;
}) {
  const text = useAdminText();
  const { fields, hints } = text.users;
  const existing = stored?.body;
  const {
    run,
    save: saveVersion,
    isBusy,
    fault,
    faults,
    dialog,
  } = useSave<UserBody>({
    fields: FIELDS,
    read: async (name) => versionOf(await readUser(name), (json) => currentBody(toUser(json))),
    put: (name, body, header) =>
      adminRequest((api) => api.put('/v1/users/{name}', { path: { name }, body, header })),
    exists: text.users.exists,
    label: (field) => (fields as Readonly<Record<string, string>>)[field] ?? field,
    show: (value) => {
      if (typeof value === 'boolean') return text.answers[value ? 'yes' : 'no'];
      return typeof value === 'string' ? value : ((value ?? []) as readonly string[]).join(', ');
    },
    onSaved,
  });
  /**
   * Saves the form after the administrator has confirmed; undefined while no confirmation is open. A confirmation is needed if
   * saving ends all sessions of the edited user.
   */
  const [pendingSave, setAsked] = useState<(() => void) | undefined>();
  const submit = (event: SubmitEvent) => {
    const values = formValues(event);
    // The password is not trimmed: spaces at its ends count.
    const elements = (event.currentTarget as HTMLFormElement).elements;
    const password = (elements.namedItem('password') as HTMLInputElement).value;
    const name = existing?.name ?? values['name'] ?? '';
    const body: UserBody = {
      email: values['email'] || null,
      enabled: values['enabled'] !== undefined,
      administrator: values['administrator'] !== undefined,
      stations: parseStationIds(values['stations'] ?? ''),
      ...(password !== '' && { password }),
    };
    const base = stored && { ...stored, body: currentBody(stored.body) };
    const save = () => void run(() => saveVersion(name, body, base));
    const endsSessions = existing?.enabled === true && (!body.enabled || password !== '');
    if (endsSessions) setAsked(() => save);
    else save();
  };
  return (
    <>
      <form method="post" class="editor" onSubmit={submit}>
        <h3>{existing === undefined ? text.users.add : text.users.changeOf(existing.name)}</h3>
        {existing === undefined && (
          <FormField name="name" label={fields.name} fault={faults['name']} required autocapitalize="none" />
        )}
        <FormField
          name="email"
          type="email"
          label={fields.email}
          fault={faults['email']}
          defaultValue={existing?.email ?? ''}
        />
        <FormField
          name="password"
          type="password"
          autocomplete="new-password"
          label={fields.password}
          hint={existing === undefined ? undefined : hints.password}
          fault={faults['password']}
          required={existing === undefined}
        />
        <StationsField
          label={fields.stations}
          fault={faults['stations']}
          initial={existing?.stations ?? []}
          all={text.users.states.all}
        />
        <label class="tick">
          <input type="checkbox" name="administrator" defaultChecked={existing?.administrator ?? false} />{' '}
          {fields.administrator}
        </label>
        <label class="tick">
          <input type="checkbox" name="enabled" defaultChecked={existing?.enabled ?? true} /> {fields.enabled}
        </label>
        <FormEnd fault={fault} isBusy={isBusy} onCancel={onCancel} />
        {pendingSave !== undefined && (
          <Dialog title={text.save} onClose={() => setAsked(undefined)}>
            <p>{text.users.sessionsQuestion(existing?.name ?? '')}</p>
            <div class="buttons">
              <button
                type="button"
                class="danger"
                onClick={() => {
                  setAsked(undefined);
                  pendingSave();
                }}
              >
                {text.save}
              </button>
              <button type="button" autofocus onClick={() => setAsked(undefined)}>
                {text.cancel}
              </button>
            </div>
          </Dialog>
        )}
      </form>
      {dialog}
    </>
  );
}

/** Returns the body of `PUT /v1/users/{name}` that changes nothing. */
function currentBody({ email, enabled, administrator, stations }: User): UserBody {
  return { email, enabled, administrator, stations };
}

export function readUser(name: string): Promise<Response> {
  return adminRequest((api) => api.response('/v1/users/{name}', { path: { name } }));
}

/** Parses the ids of stations, such as `JFK, LGA`. `*` means all stations. */
function parseStationIds(typed: string): string[] | '*' {
  if (typed === '*') return '*';
  return typed.split(/[\s,]+/).filter((id) => id !== '');
}
