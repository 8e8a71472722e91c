import type { Reply, Schemas } from '../../api.js';
import { ChangeButton, useEditor } from '../conflict.js';
import { ConfirmedButton } from '../dialog.js';
import { FormFault, Table, useAction, useList } from '../form.js';
import { PauseButton, TestButton, WorkState } from '../list-actions.js';
import { mappingLines } from '../panels/mapping-draft.js';
import { usePanelsText } from '../panels/text.js';
import { useAdminText } from '../text.js';
import { Time } from '../time.js';
import { SensorsLink } from '../hash-station.js';
import { readSource, SourceForm, toSource } from './source-form.js';
import { useSourcesText } from './text.js';

type Source = Schemas['Source'];
type Report = Reply<'/v1/sources/{name}/test', 'post'>['reports'][number];

/** Number of gaps of a source that are shown. */
const MAX_GAPS = 3;

/** Adds, changes, pauses, tests and removes sources. */
export function Sources() {
  const admin = useAdminText();
  const text = useSourcesText();
  const { reply, fault, reload, change } = useList((api) => api.get('/v1/sources'));
  const editor = useEditor(readSource, toSource, reload);
  const { run, fault: actionFault } = useAction();
  const pause = ({ name, paused }: Source) => {
    const route = paused ? '/v1/sources/{name}/resume' : '/v1/sources/{name}/pause';
    return run(() => change((api) => api.post(route, { path: { name } })));
  };
  const dismiss = (name: string) =>
    run(() => change((api) => api.delete('/v1/sources/{name}/gaps', { path: { name } })));
  const remove = (name: string) => change((api) => api.delete('/v1/sources/{name}', { path: { name } }));
  if (editor.form && reply) return <SourceForm {...editor.form} kinds={reply.kinds} />;
  return (
    <>
      <button type="button" class="main" onClick={editor.add} disabled={reply === undefined}>
        {text.add}
      </button>
      <p class="quiet">{text.meaning}</p>
      {fault}
      <FormFault>{editor.fault || actionFault}</FormFault>
      <Table label={admin.sections.sources} heads={text.columns} rows={reply?.sources} none={text.none}>
        {(source) => (
          <tr key={source.name}>
            <th scope="row">{source.name}</th>
            <td>{reply?.kinds.find(({ name }) => name === source.kind)?.title ?? source.kind}</td>
            <td>
              {source.station === null ? (
                text.removed
              ) : (
                <>
                  {source.station} <SensorsLink station={source.station} />
                </>
              )}
            </td>
            <td>
              <State source={source} />
              {source.gaps.length > 0 && (
                <button
                  type="button"
                  onClick={() => void dismiss(source.name)}
                  aria-label={`${text.dismiss}: ${source.name}`}
                >
                  {text.dismiss}
                </button>
              )}
            </td>
            <td class="buttons">
              <TestButton
                name={source.name}
                label={text.test}
                send={(api) => api.post('/v1/sources/{name}/test', { path: { name: source.name } })}
              >
                {({ reports }) =>
                  reports.length === 0
                    ? text.nothing
                    : reports.map((report) => <ReportView key={report.time} report={report} />)
                }
              </TestButton>
              <PauseButton of={source} text={text} pause={() => pause(source)} />
              {source.allow_any_address ? (
                <p class="quiet">{text.commandLine}</p>
              ) : (
                <ChangeButton name={source.name} change={() => editor.change(source.name)} />
              )}
              <ConfirmedButton
                label={admin.remove}
                question={text.removeQuestion(source.name)}
                act={() => remove(source.name)}
              />
            </td>
          </tr>
        )}
      </Table>
    </>
  );
}

/** When a source last reported, why it is silent, and its newest gaps. */
function State({ source }: { readonly source: Source }) {
  const text = useSourcesText();
  const { mappings: mapped } = usePanelsText();
  const { gaps, mappings } = source;
  return (
    <>
      <WorkState
        paused={source.paused && text.paused}
        failing={text.silent}
        since={source.silent_since}
        reason={source.reason}
        last={text.reported}
        at={source.reported_at}
        never={source.silent_since === null && text.notYet}
      />
      {mappings.length > 0 && (
        <p class="quiet text">
          {mapped.columns.mappings}: {mappingLines(mappings)}
        </p>
      )}
      {gaps.slice(-MAX_GAPS).map(({ from, to, reason }) => (
        <p key={from} class="quiet">
          <Time at={from} /> – <Time at={to} />: {text.gap(reason ?? text.filling)}
        </p>
      ))}
      {gaps.length > MAX_GAPS && <p class="quiet">{text.moreGaps(gaps.length - MAX_GAPS)}</p>}
    </>
  );
}

function ReportView({ report: { time, values, counters, fields } }: { readonly report: Report }) {
  const text = useSourcesText();
  return (
    <>
      <p>
        {text.wouldStore} <Time at={time} />
      </p>
      <ul>
        {values.map(({ variable, value, unit, counter }) => (
          <li key={variable}>
            {variable}: {value} {unit === '1' ? '' : unit} {counter && `(${text.counter})`}
          </li>
        ))}
        {counters.map(({ gauge, period, amount }) => (
          <li key={`${gauge} ${period}`}>
            {gauge} {period}: {amount} mm
          </li>
        ))}
        {fields.map(({ name, value, unit }) => (
          <li key={name} class="quiet">
            {name}: {value} {unit} ({text.unmapped})
          </li>
        ))}
      </ul>
    </>
  );
}
