import { useSignal } from '../live/use-signal.js';
import { session } from '../session.js';
import { ChangeButton, useEditor } from './conflict.js';
import { ConfirmedButton } from './dialog.js';
import { FormFault, Table, useList } from './form.js';
import { useAdminText } from './text.js';
import { readUser, toUser, UserForm } from './user-form.js';

/** Adds, changes and removes users. */
export function Users() {
  const text = useAdminText();
  const { reply, fault, reload, change } = useList((api) => api.get('/v1/users'));
  const editor = useEditor(readUser, toUser, reload);
  const own = useSignal(session)?.user;
  const { columns, states } = text.users;
  if (editor.form) return <UserForm {...editor.form} />;
  return (
    <>
      <button type="button" class="main" onClick={editor.add}>
        {text.users.add}
      </button>
      {fault}
      <FormFault>{editor.fault}</FormFault>
      <Table label={text.sections.users} heads={columns} rows={reply?.users}>
        {(user) => (
          <tr key={user.name}>
            <th scope="row">{user.name}</th>
            <td>{user.email ?? '–'}</td>
            <td>{user.enabled ? states.enabled : states.disabled}</td>
            <td>{user.administrator ? states.administrator : states.user}</td>
            <td>{user.stations === '*' ? states.all : user.stations.join(', ') || '–'}</td>
            <td class="buttons">
              <ChangeButton name={user.name} change={() => editor.change(user.name)} />
              {user.name !== own && (
                <ConfirmedButton
                  label={text.remove}
                  question={text.users.removeQuestion(user.name)}
                  act={() => change((api) => api.delete('/v1/users/{name}', { path: { name: user.name } }))}
                />
              )}
            </td>
          </tr>
        )}
      </Table>
    </>
  );
}
