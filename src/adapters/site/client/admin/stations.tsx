import { useState } from 'preact/hooks';
import { useSignal } from '../live/use-signal.js';
import { session } from '../session.js';
import { adminRequest, userRequest } from './admin-request.js';
import { ChangeButton, useEditor } from './conflict.js';
import { ConfirmedButton } from './dialog.js';
import { FormFault, FormField, Table, useAction, useList, formValues } from './form.js';
import { SensorsLink } from './hash-station.js';
import type { StationReply } from './station-draft.js';
import { readStation, StationForm } from './station-form.js';
import { useAdminText } from './text.js';
import { Time } from './time.js';

/** Number of stations that one request reads. */
const PAGE = 100;

/** Adds, changes, removes and restores stations. A user who is no administrator sees the list only. */
export function StationsPanel() {
  const text = useAdminText();
  const [query, setQuery] = useState<{ readonly q?: string; readonly cursor?: string }>({});
  const { reply, fault, reload } = useList(
    (api) => api.get('/v1/stations', { query: { ...query, limit: PAGE } }),
    query,
    userRequest,
  );
  const user = useSignal(session);
  const isAdministrator = user?.administrator === true;
  const editor = useEditor(readStation, (station: StationReply) => station, reload);
  const [removed, setRemoved] = useState<string>();
  const { run, fault: actionFault } = useAction();
  const remove = async (id: string) => {
    await adminRequest((api) => api.delete('/v1/stations/{id}', { path: { id } }));
    setRemoved(id);
    await reload();
  };
  const restore = (id: string) =>
    run(async () => {
      await adminRequest((api) => api.post('/v1/stations/{id}/restore', { path: { id } }));
      setRemoved(undefined);
      await reload();
    });
  if (editor.form) return <StationForm {...editor.form} />;
  const { columns } = text.stations;
  const heads = [columns.name, columns.id, columns.zone];
  const isMine = (id: string) => user !== undefined && (user.stations === '*' || user.stations.includes(id));
  return (
    <>
      <div class="bar">
        {isAdministrator && (
          <button type="button" class="main" onClick={editor.add}>
            {text.stations.add}
          </button>
        )}
        <form method="get" onSubmit={(event) => setQuery(withoutEmpty({ q: formValues(event)['q'] ?? '' }))}>
          <FormField name="q" type="search" label={text.stations.search} />
          <button type="submit">{text.stations.find}</button>
        </form>
      </div>
      {fault}
      <FormFault>{editor.fault || actionFault}</FormFault>
      {removed !== undefined && (
        <p role="status">
          {text.stations.removed(removed)}{' '}
          <button type="button" onClick={() => void restore(removed)}>
            {text.stations.restore}
          </button>
        </p>
      )}
      <Table
        label={text.sections.stations}
        heads={isAdministrator ? [...heads, columns.actions] : heads}
        rows={reply?.stations}
        none={text.stations.none}
      >
        {({ id, name, time_zone: zone }) => (
          <tr key={id}>
            <th scope="row">
              {name} {!isAdministrator && isMine(id) && <span class="mark">{text.stations.mayWrite}</span>}
            </th>
            <td>
              <a href={`/stations/${encodeURIComponent(id)}`}>{id}</a>
            </td>
            <td>{zone}</td>
            {isAdministrator && (
              <td class="buttons">
                <ChangeButton name={name} change={() => editor.change(id)} />
                <SensorsLink station={id} />
                <ConfirmedButton
                  label={text.remove}
                  question={text.stations.removeQuestion(name)}
                  act={() => remove(id)}
                />
              </td>
            )}
          </tr>
        )}
      </Table>
      {typeof reply?.next === 'string' && (
        <button type="button" onClick={() => setQuery({ ...query, cursor: reply.next as string })}>
          {text.more}
        </button>
      )}
      {isAdministrator && (
        <details>
          <summary>{text.stations.restoreTitle}</summary>
          <RemovedStations key={removed} onRestore={restore} />
        </details>
      )}
    </>
  );
}

/** The removed stations, each with a button that restores it. */
function RemovedStations({ onRestore }: { readonly onRestore: (id: string) => Promise<void> }) {
  const text = useAdminText();
  const { reply, fault, reload } = useList((api) => api.get('/v1/removed-stations'));
  return (
    <>
      {fault}
      {reply?.stations.length === 0 && <p>{text.stations.noneRemoved}</p>}
      <ul>
        {reply?.stations.map(({ id, name, removed_at: at }) => (
          <li key={id}>
            {name} ({id}), {text.stations.removedAt} <Time at={at} />{' '}
            <button
              type="button"
              onClick={() => void onRestore(id).then(reload)}
              aria-label={`${text.stations.restore}: ${name}`}
            >
              {text.stations.restore}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

function withoutEmpty({ q }: { readonly q: string }): { readonly q?: string } {
  return q === '' ? {} : { q };
}
