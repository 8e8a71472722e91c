import { adminRequest } from '../admin-request.js';
import { ChangeButton, useEditor } from '../conflict.js';
import { ConfirmedButton } from '../dialog.js';
import { FormFault, Table, useList } from '../form.js';
import { WorkState } from '../list-actions.js';
import { useAdminText } from '../text.js';
import { ForecastForm, readOrder, toOrder, useProviderTitle } from './forecast-form.js';
import { usePanelsText } from './text.js';

/** Orders the forecasts of providers for stations, changes their provider, and ends them. */
export function Forecasts() {
  const admin = useAdminText();
  const { forecasts: text } = usePanelsText();
  const { reply, fault, reload } = useList((api) => api.get('/v1/forecasts'));
  const titleOf = useProviderTitle(reply?.providers);
  const editor = useEditor(readOrder, toOrder, reload);
  const remove = async (id: string) => {
    await adminRequest((api) => api.delete('/v1/forecasts/{id}', { path: { id } }));
    await reload();
  };
  if (editor.form && reply) return <ForecastForm {...editor.form} {...reply} />;
  return (
    <>
      <button type="button" class="main" onClick={editor.add} disabled={reply === undefined}>
        {text.add}
      </button>
      <p class="quiet">{text.position}</p>
      {fault}
      <FormFault>{editor.fault}</FormFault>
      <Table label={admin.sections.forecasts} heads={text.columns} rows={reply?.forecasts} none={text.none}>
        {({ station, provider, failing_since: since, reason, issued }) => (
          <tr key={station}>
            <th scope="row">{station}</th>
            <td>{titleOf(provider)}</td>
            <td>
              <WorkState
                paused={false}
                failing={text.failing}
                since={since}
                reason={reason}
                last={text.newest}
                at={issued}
                never={since === null && text.notYet}
              />
            </td>
            <td class="buttons">
              <ChangeButton name={station} change={() => editor.change(station)} />
              <ConfirmedButton
                label={admin.remove}
                question={text.removeQuestion(station)}
                act={() => remove(station)}
              />
            </td>
          </tr>
        )}
      </Table>
    </>
  );
}
