import { useEffect, useRef } from 'preact/hooks';
import { useNumbers } from '../../site-context.js';
import { adminRequest, userRequest } from '../admin-request.js';
import { ConfirmedButton } from '../dialog.js';
import { FormFault, Table, useAction } from '../form.js';
import { ImportForm } from './import-form.js';
import {
  type Complete,
  completeOf,
  type ImportFormat,
  type ImportJob,
  isOpen,
  type Settings,
} from './import-model.js';
import { sentenceOf, stateText } from './sentence.js';
import { useImportsText } from './text.js';
import { useImport } from './use-import.js';

/**
 * Shows an import in its present state, with what a person can do.
 *
 * @param formats the import formats of the service
 * @param onChange called when the state has changed
 * @param onClose called when the import is gone, or when the person wants to see something else
 */
export function ImportView({
  id,
  formats,
  onChange,
  onClose,
}: {
  readonly id: string;
  readonly formats: readonly ImportFormat[];
  readonly onChange: () => void;
  readonly onClose: () => void;
}) {
  const text = useImportsText();
  const [job, setJob] = useImport(id, onClose);
  const { run, isBusy, fault } = useAction();
  const complete = useRef<Complete>(undefined);
  const state = job?.state;
  useEffect(() => {
    if (state !== undefined) onChange();
  }, [state]);
  if (job === undefined || state === undefined) return null;
  complete.current = completeOf(complete.current, job);
  const path = { id };
  const answer = (body: Settings & { readonly confirm?: boolean }) =>
    void run(async () =>
      setJob((await userRequest((api) => api.put('/v1/imports/{id}/answers', { path, body }))).import),
    );
  const undo = async () =>
    setJob((await adminRequest((api) => api.post('/v1/imports/{id}/undo', { path }))).import);
  const giveUp = async () => {
    await userRequest((api) => api.delete('/v1/imports/{id}', { path }));
    onClose();
  };
  const isAsking = state === 'asking' || state === 'ready';
  return (
    <div class="editor import">
      <h3>{job.file}</h3>
      <p role="status">{stateText(job, text)}</p>
      {state === 'writing' && <Progress job={job} />}
      <FormFault>
        {job.error === null ? undefined : sentenceOf(job.error.message, job.error.reasons, text, ' ')}
      </FormFault>
      {isAsking && (
        <ImportForm
          key={JSON.stringify([job.plan, job.options, job.questions])}
          job={job}
          formats={formats}
          complete={complete.current}
          isBusy={isBusy}
          onLook={answer}
          onWrite={() => answer({ confirm: true })}
        />
      )}
      <Result job={job} />
      <FormFault>{fault}</FormFault>
      <div class="buttons">
        {state === 'failed' && job.bytes > 0 && (
          <button type="button" disabled={isBusy} onClick={() => answer({ confirm: true })}>
            {text.retry}
          </button>
        )}
        {job.can_undo && state !== 'undoing' && (
          <ConfirmedButton
            label={state === 'writing' ? text.stopAndUndo : text.undo}
            question={text.undoQuestion}
            act={undo}
          />
        )}
        {(isAsking || state === 'planning') && (
          <ConfirmedButton label={text.giveUp} question={text.giveUpQuestion} act={giveUp} />
        )}
        {!isOpen(state) && (
          <button type="button" onClick={onClose}>
            {text.newImport}
          </button>
        )}
      </div>
    </div>
  );
}

const MEGABYTE = 1_000_000;

function Progress({ job: { progress } }: { readonly job: ImportJob }) {
  const text = useImportsText();
  const inMegabytes = (bytes: number) => (bytes / MEGABYTE).toFixed(1);
  return (
    <>
      <progress max={Math.max(1, progress.total)} value={progress.bytes} aria-label={text.states.writing} />
      <p>{text.bytes(inMegabytes(progress.bytes), inMegabytes(progress.total))}</p>
    </>
  );
}

/** What was written, what was rejected and what was undone. */
function Result({ job }: { readonly job: ImportJob }) {
  const write = useNumbers();
  const text = useImportsText();
  const { counts, rejections, notes, undone, continued_after: continuedAfter } = job;
  return (
    <>
      {counts !== null && (
        <dl class="counts">
          {(Object.keys(text.counts) as (keyof typeof text.counts)[]).map((name) => (
            <div key={name}>
              <dt>{text.counts[name]}</dt>
              <dd>{write(counts[name], 0)}</dd>
            </div>
          ))}
        </dl>
      )}
      {counts !== null && continuedAfter !== null && <p>{text.continuedAfter(continuedAfter)}</p>}
      {notes.map((note) => (
        <p key={note}>{sentenceOf(note, [], text, ' ')}</p>
      ))}
      {undone !== null && <p role="status">{text.undone(undone.values, undone.removed, undone.kept)}</p>}
      {rejections.length > 0 && (
        <details>
          <summary>{text.rejections(rejections.length)}</summary>
          <Table label={text.rejections(rejections.length)} heads={text.rejected} rows={rejections}>
            {({ file, line, column, problem, reasons }, index) => (
              <tr key={index}>
                <th scope="row">{file === null ? line : `${file}, ${line}`}</th>
                <td>{column ?? ''}</td>
                <td>{sentenceOf(problem, reasons, text, ', ')}</td>
              </tr>
            )}
          </Table>
        </details>
      )}
    </>
  );
}
