import type { ImportJob } from './import-model.js';
import { useImportsText } from './text.js';

/** Asks for the facts that the file does not contain. The first choice of each question is the most likely one. */
export function QuestionFields({ questions }: { readonly questions: ImportJob['questions'] }) {
  const text = useImportsText();
  return (
    <>
      <p>{text.questions}</p>
      {questions.map(({ key, text: question, choices }) => (
        <fieldset key={key}>
          <legend>{question}</legend>
          {choices.map((choice) => (
            <label key={choice} class="tick">
              <input type="radio" name={key} value={choice} />
              {choice}
            </label>
          ))}
        </fieldset>
      ))}
    </>
  );
}
