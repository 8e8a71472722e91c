import type { Schemas } from '../../api.js';
import { adminRequest } from '../admin-request.js';
import { ChangeButton, useEditor } from '../conflict.js';
import { ConfirmedButton } from '../dialog.js';
import { FormFault, Table, useAction, useList } from '../form.js';
import { useAdminText } from '../text.js';
import { Time } from '../time.js';
import { HookForm, readHook, toHook } from './hook-form.js';
import { TestButton } from './target-field.js';
import { usePanelsText } from './text.js';

type Hook = Schemas['Hook'];

/** Adds, changes, pauses, tests and removes hooks. */
export function Hooks() {
  const admin = useAdminText();
  const { hooks: text } = usePanelsText();
  const { reply, fault, reload } = useList((api) => api.get('/v1/hooks'));
  const editor = useEditor(readHook, toHook, reload);
  const { run, fault: actionFault } = useAction();
  const pause = ({ name, paused }: Hook) =>
    run(async () => {
      const route = paused ? '/v1/hooks/{name}/resume' : '/v1/hooks/{name}/pause';
      await adminRequest((api) => api.post(route, { path: { name } }));
      await reload();
    });
  const remove = async (name: string) => {
    await adminRequest((api) => api.delete('/v1/hooks/{name}', { path: { name } }));
    await reload();
  };
  if (editor.form) return <HookForm {...editor.form} />;
  const isOfCommandLine = ({ kind, allow_private: isPrivate }: Hook) => kind === 'command' || isPrivate;
  return (
    <>
      <button type="button" class="main" onClick={editor.add}>
        {text.add}
      </button>
      <p class="quiet">{text.commandLine}</p>
      {fault}
      <FormFault>{editor.fault || actionFault}</FormFault>
      <Table label={admin.sections.hooks} heads={text.columns} rows={reply?.hooks} none={text.none}>
        {(hook) => (
          <tr key={hook.name}>
            <th scope="row">{hook.name}</th>
            <td>{hook.stations?.join(', ') ?? text.allStations}</td>
            <td>
              {hook.target} {hook.signed && <span class="mark">{text.signed}</span>}
            </td>
            <td>
              <State hook={hook} />
            </td>
            <td class="buttons">
              <TestButton
                name={hook.name}
                send={(api) => api.post('/v1/hooks/{name}/test', { path: { name: hook.name } })}
              />
              <button
                type="button"
                onClick={() => void pause(hook)}
                aria-label={`${hook.paused ? text.resume : text.pause}: ${hook.name}`}
              >
                {hook.paused ? text.resume : text.pause}
              </button>
              {!isOfCommandLine(hook) && (
                <ChangeButton name={hook.name} change={() => editor.change(hook.name)} />
              )}
              <ConfirmedButton
                label={admin.remove}
                question={text.removeQuestion(hook.name)}
                act={() => remove(hook.name)}
              />
            </td>
          </tr>
        )}
      </Table>
    </>
  );
}

/** The state of the deliveries of a hook. */
function State({ hook }: { readonly hook: Hook }) {
  const { hooks: text } = usePanelsText();
  return (
    <>
      {hook.paused && <p class="state degraded">{text.paused}</p>}
      {hook.failing_since !== null && (
        <p class="fault">
          {text.failing} <Time at={hook.failing_since} />
          {hook.reason !== null && `: ${hook.reason}`}
        </p>
      )}
      <p>
        {hook.delivered_at === null ? (
          text.nothingDelivered
        ) : (
          <>
            {text.delivered} <Time at={hook.delivered_at} />
          </>
        )}
      </p>
    </>
  );
}
