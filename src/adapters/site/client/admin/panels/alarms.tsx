import type { Schemas } from '../../api.js';
import { ChangeButton, useEditor } from '../conflict.js';
import { ConfirmedButton } from '../dialog.js';
import { FormFault, Table, useList } from '../form.js';
import { useAdminText } from '../text.js';
import { Time } from '../time.js';
import { AlarmForm, readAlarm, toAlarm } from './alarm-form.js';
import { ConditionText } from './condition-text.js';
import { TargetTest } from './target-field.js';
import { usePanelsText } from './text.js';

type Listed = Schemas['ListedAlarm'];

/** Adds, changes, tests and removes alarms. */
export function Alarms() {
  const admin = useAdminText();
  const { alarms: text } = usePanelsText();
  const { reply, fault, reload, change } = useList((api) => api.get('/v1/alarms'));
  const editor = useEditor(readAlarm, toAlarm, reload);
  const remove = (name: string) => change((api) => api.delete('/v1/alarms/{name}', { path: { name } }));
  if (editor.form && reply)
    return <AlarmForm {...editor.form} kinds={reply.kinds} names={reply.alarms.map(({ name }) => name)} />;
  const { columns } = text;
  return (
    <>
      <button type="button" class="main" onClick={editor.add} disabled={reply === undefined}>
        {text.add}
      </button>
      <p class="quiet">{text.commandLine}</p>
      {fault}
      <FormFault>{editor.fault}</FormFault>
      <Table label={admin.sections.alarms} heads={columns} rows={reply?.alarms} none={text.none}>
        {(alarm) => (
          <tr key={alarm.name}>
            <th scope="row">{alarm.name}</th>
            <td>{alarm.station === null ? text.allStations : alarm.station || text.stationRemoved}</td>
            <td>
              <ConditionText condition={alarm.condition} />
            </td>
            <td>
              <States alarm={alarm} />
            </td>
            <td>{alarm.target?.shown ?? text.shownOnly}</td>
            <td class="buttons">
              {alarm.target !== null && (
                <TargetTest
                  name={alarm.name}
                  send={(api) => api.post('/v1/alarms/{name}/test', { path: { name: alarm.name } })}
                />
              )}
              {alarm.target?.kind !== 'command' && alarm.target?.allow_private !== true && (
                <ChangeButton name={alarm.name} change={() => editor.change(alarm.name)} />
              )}
              <ConfirmedButton
                label={admin.remove}
                question={text.removeQuestion(alarm.name)}
                act={() => remove(alarm.name)}
              />
            </td>
          </tr>
        )}
      </Table>
    </>
  );
}

/** The stations at which an alarm is raised, and messages that wait for the target. */
function States({ alarm: { states } }: { readonly alarm: Listed }) {
  const { alarms: text } = usePanelsText();
  const raised = states.filter(({ status }) => status === 'raised');
  const waiting = states.filter((state) => state.undelivered_since !== null);
  return (
    <>
      {raised.length === 0 && text.ok}
      {raised.map(({ station, since }) => (
        <p key={station} class="state failed">
          {text.raised(station)} <Time at={since} />
        </p>
      ))}
      {waiting.map((state) => (
        <p key={state.station} class="fault">
          {text.undelivered} <Time at={state.undelivered_since} />
        </p>
      ))}
    </>
  );
}
