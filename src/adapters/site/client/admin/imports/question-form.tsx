import { formValues } from '../form.js';
import type { ImportJob } from './import-model.js';
import { useImportsText } from './text.js';

/** Asks for the facts that the file does not contain. The first choice of each question is the most likely one. */
export function QuestionForm({
  questions,
  isBusy,
  onAnswer,
}: {
  readonly questions: ImportJob['questions'];
  readonly isBusy: boolean;
  readonly onAnswer: (answers: Record<string, string>) => void;
}) {
  const text = useImportsText();
  return (
    <form method="post" onSubmit={(event: SubmitEvent) => onAnswer({ ...formValues(event) })}>
      <p>{text.questions}</p>
      {questions.map(({ key, text: question, choices }) => (
        <fieldset key={key}>
          <legend>{question}</legend>
          {choices.map((choice) => (
            <label key={choice} class="tick">
              <input type="radio" name={key} value={choice} required />
              {choice}
            </label>
          ))}
        </fieldset>
      ))}
      <button type="submit" class="main" disabled={isBusy}>
        {text.answer}
      </button>
    </form>
  );
}
