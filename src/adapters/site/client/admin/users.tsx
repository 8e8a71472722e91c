import { useState } from 'preact/hooks';
import type { Schemas } from '../api.js';
import { adminRequest } from './admin-request.js';
import { ConfirmedButton } from './dialog.js';
import { FormFault, Table, useAction, useList } from './form.js';
import { useAdminText } from './text.js';
import { readUser, UserForm } from './user-form.js';

type User = Schemas['User'];

/** Adds, changes and removes users. */
export function Users() {
  const text = useAdminText();
  const { reply, fault, reload } = useList((api) => api.get('/v1/users'));
  const [edited, setEdited] = useState<{ readonly user: User; readonly etag: string | null } | 'new'>();
  const { run, fault: actionFault } = useAction();
  const change = (name: string) =>
    run(async () => {
      const response = await readUser(name);
      const { user } = (await response.json()) as { readonly user: User };
      setEdited({ user, etag: response.headers.get('etag') });
    });
  const { columns, states } = text.users;
  if (edited !== undefined)
    return (
      <UserForm
        existing={edited === 'new' ? undefined : edited.user}
        etag={edited === 'new' ? null : edited.etag}
        onCancel={() => setEdited(undefined)}
        onSaved={() => {
          setEdited(undefined);
          void reload();
        }}
      />
    );
  return (
    <>
      <button type="button" class="main" onClick={() => setEdited('new')}>
        {text.users.add}
      </button>
      {fault}
      <FormFault>{actionFault}</FormFault>
      {reply !== undefined && (
        <Table label={text.sections.users} heads={Object.values(columns)}>
          {reply.users.map((user) => (
            <tr key={user.name}>
              <th scope="row">{user.name}</th>
              <td>{user.email ?? '–'}</td>
              <td>{user.enabled ? states.enabled : states.disabled}</td>
              <td>{user.administrator ? states.administrator : states.user}</td>
              <td>{user.stations === '*' ? states.all : user.stations.join(', ') || '–'}</td>
              <td class="buttons">
                <button
                  type="button"
                  onClick={() => void change(user.name)}
                  aria-label={`${text.change}: ${user.name}`}
                >
                  {text.change}
                </button>
                <ConfirmedButton
                  label={text.remove}
                  question={text.users.removeQuestion(user.name)}
                  act={async () => {
                    await adminRequest((api) =>
                      api.delete('/v1/users/{name}', { path: { name: user.name } }),
                    );
                    await reload();
                  }}
                />
              </td>
            </tr>
          ))}
        </Table>
      )}
    </>
  );
}
