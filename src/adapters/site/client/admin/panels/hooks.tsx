import type { Schemas } from '../../api.js';
import { ChangeButton, useEditor } from '../conflict.js';
import { ConfirmedButton } from '../dialog.js';
import { FormFault, Table, useAction, useList } from '../form.js';
import { PauseButton, WorkState } from '../list-actions.js';
import { useAdminText } from '../text.js';
import { HookForm, readHook, toHook } from './hook-form.js';
import { TargetTest } from './target-field.js';
import { usePanelsText } from './text.js';

type Hook = Schemas['Hook'];

/** Adds, changes, pauses, tests and removes hooks. */
export function Hooks() {
  const admin = useAdminText();
  const { hooks: text } = usePanelsText();
  const { reply, fault, reload, change } = useList((api) => api.get('/v1/hooks'));
  const editor = useEditor(readHook, toHook, reload);
  const { run, fault: actionFault } = useAction();
  const pause = ({ name, paused }: Hook) => {
    const route = paused ? '/v1/hooks/{name}/resume' : '/v1/hooks/{name}/pause';
    return run(() => change((api) => api.post(route, { path: { name } })));
  };
  const remove = (name: string) => change((api) => api.delete('/v1/hooks/{name}', { path: { name } }));
  if (editor.form && reply) return <HookForm {...editor.form} kinds={reply.kinds} />;
  const isOfCommandLine = ({ kind, allow_private: isPrivate }: Hook) => kind === 'command' || isPrivate;
  return (
    <>
      <button type="button" class="main" onClick={editor.add} disabled={reply === undefined}>
        {text.add}
      </button>
      <p class="quiet">{text.commandLine}</p>
      {fault}
      <FormFault>{editor.fault || actionFault}</FormFault>
      <Table label={admin.sections.hooks} heads={text.columns} rows={reply?.hooks} none={text.none}>
        {(hook) => (
          <tr key={hook.name}>
            <th scope="row">{hook.name}</th>
            <td>
              {hook.stations?.join(', ') ?? text.allStations}{' '}
              {hook.forecasts && <span class="mark">{text.conflicts.forecasts}</span>}
            </td>
            <td>
              {hook.target} {hook.signed && <span class="mark">{text.signed}</span>}
            </td>
            <td>
              <WorkState
                paused={hook.paused && text.paused}
                failing={text.failing}
                since={hook.failing_since}
                reason={hook.reason}
                last={text.delivered}
                at={hook.delivered_at}
                never={text.nothingDelivered}
              />
            </td>
            <td class="buttons">
              <TargetTest
                name={hook.name}
                send={(api) => api.post('/v1/hooks/{name}/test', { path: { name: hook.name } })}
              />
              <PauseButton of={hook} text={text} pause={() => pause(hook)} />
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
