import type { ImportJob } from './import-model.js';
import { sentenceOf } from './sentence.js';
import { useImportsText } from './text.js';

/** Asks for the facts that the file does not contain. The first choice of each question is the most likely one. */
export function QuestionFields({ questions }: { readonly questions: ImportJob['questions'] }) {
  const text = useImportsText();
  const { kinds, choices: known } = text.plan;
  const answers: Readonly<Record<string, string>> = { ...kinds, ...known.date_order, ...text.answers };
  return (
    <>
      <p>{text.questions}</p>
      {questions.map(({ key, text: question, choices, code, values }) => (
        <fieldset key={key}>
          <legend>{sentenceOf(question, [{ code, values }], text, ' ')}</legend>
          {choices.map((choice) => (
            <label key={choice} class="tick">
              <input type="radio" name={key} value={choice} />
              {answers[choice] ?? choice}
            </label>
          ))}
        </fieldset>
      ))}
    </>
  );
}
