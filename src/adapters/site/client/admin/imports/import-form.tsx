import { useState } from 'preact/hooks';
import { formValues } from '../form.js';
import {
  changedSettings,
  type Complete,
  draftOf,
  type ImportFormat,
  type ImportJob,
  lostFiles,
  type Settings,
} from './import-model.js';
import { PlanFields } from './plan-fields.js';
import { QuestionFields } from './question-fields.js';
import { useImportsText } from './text.js';

/**
 * Shows how a file is read, with everything that a person can change about it. The rows can be written only while nothing in the
 * form differs from the shown plan.
 *
 * @param complete the newest settings with which no file of an archive was lost
 * @param onLook sends all changes of the form, for a new plan
 * @param onWrite writes the rows as the plan shows them
 */
export function ImportForm({
  job,
  formats,
  complete,
  isBusy,
  onLook,
  onWrite,
}: {
  readonly job: ImportJob;
  readonly formats: readonly ImportFormat[];
  readonly complete: Complete | undefined;
  readonly isBusy: boolean;
  readonly onLook: (settings: Settings) => void;
  readonly onWrite: () => void;
}) {
  const text = useImportsText();
  const [draft, setDraft] = useState(() => draftOf(job));
  const changed = changedSettings(job, draft);
  const lost = lostFiles(complete, job);
  return (
    <form
      method="post"
      onInput={(event: InputEvent) => {
        const fields = formValues(event);
        setDraft((before) => ({ ...before, fields }));
      }}
      onSubmit={(event: SubmitEvent) => {
        const settings = changedSettings(job, { ...draft, fields: formValues(event) });
        if (settings !== undefined) onLook(settings);
      }}
    >
      {job.questions.length > 0 && <QuestionFields questions={job.questions} />}
      <PlanFields
        job={job}
        formats={formats}
        fields={draft.fields}
        choices={draft.choices}
        onChoose={(choices) => setDraft((before) => ({ ...before, choices }))}
      />
      {lost.length > 0 && (
        <>
          <p class="fault" role="alert">
            {text.lost(lost.join(', '))}
          </p>
          <button
            type="button"
            disabled={isBusy}
            onClick={() => onLook({ options: complete?.options ?? {} })}
          >
            {text.takeBack}
          </button>
        </>
      )}
      {job.state === 'ready' && changed === undefined && lost.length === 0 ? (
        <>
          <p>{text.confirmHint}</p>
          <button type="button" class="main" disabled={isBusy} onClick={onWrite}>
            {text.confirm}
          </button>
        </>
      ) : (
        <>
          <p>{text.lookHint}</p>
          <button type="submit" class="main" disabled={isBusy || changed === undefined}>
            {text.look}
          </button>
        </>
      )}
    </form>
  );
}
