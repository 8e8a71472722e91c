import { useState } from 'preact/hooks';
import type { Schemas } from '../../api.js';
import { useSignal } from '../../live/use-signal.js';
import { session as signedIn, signOut } from '../../session.js';
import { adminRequest } from '../admin-request.js';
import { ConfirmedButton } from '../dialog.js';
import { Table, useList } from '../form.js';
import { useAdminText } from '../text.js';
import { Time } from '../time.js';
import { usePanelsText } from './text.js';

/** Lists the sessions, and ends one session or all sessions of a user. A user who is no administrator sees the own sessions only. */
export function Sessions() {
  const admin = useAdminText();
  const { sessions: text } = usePanelsText();
  const { reply, fault, reload } = useList((api) => api.get('/v1/sessions'));
  const isAdministrator = useSignal(signedIn)?.administrator === true;
  const [ended, setEnded] = useState('');
  const end = async ({ id, current }: Schemas['Session']) => {
    if (current) return await signOut();
    await adminRequest((api) => api.delete('/v1/sessions/{id}', { path: { id } }));
    setEnded(text.ended(1));
    await reload();
  };
  const endAll = async (name: string) => {
    const { sessions } = await adminRequest((api) =>
      api.delete('/v1/users/{name}/sessions', { path: { name } }),
    );
    setEnded(text.ended(sessions));
    await reload();
  };
  return (
    <>
      <button type="button" onClick={() => void reload()}>
        {admin.reload}
      </button>
      {fault}
      <p role="status">{ended}</p>
      <Table label={admin.sections.sessions} heads={text.columns} rows={reply?.sessions}>
        {(session) => (
          <tr key={session.id}>
            <th scope="row">
              {session.user} {session.current && <span class="mark">{text.current}</span>}
            </th>
            <td>{session.address ?? '–'}</td>
            <td>
              <Time at={session.created_at} />
            </td>
            <td>
              <Time at={session.valid_to} />
            </td>
            <td class="buttons">
              <ConfirmedButton
                label={text.end}
                question={session.current ? text.ownQuestion : text.endQuestion(session.user)}
                act={() => end(session)}
              />
              {isAdministrator && (
                <ConfirmedButton
                  label={text.endAll}
                  question={text.endAllQuestion(session.user)}
                  act={() => endAll(session.user)}
                />
              )}
            </td>
          </tr>
        )}
      </Table>
    </>
  );
}
