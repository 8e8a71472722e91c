import { useNumbers } from '../../site-context.js';
import { userRequest } from '../admin-request.js';
import { FormField, Table, useList } from '../form.js';
import { Time } from '../time.js';
import {
  choicesOf,
  type ColumnChoice,
  FIELDS,
  type Fields,
  type FieldName,
  fieldsOf,
  type ImportFormat,
  type ImportJob,
  lockOf,
  NAMES,
} from './import-model.js';
import { sentenceOf } from './sentence.js';
import { useImportsText } from './text.js';

type Plan = NonNullable<ImportJob['plan']>['plans'][number];
type Variable = {
  readonly name: string;
  readonly units: readonly string[];
  readonly unit: string;
  readonly aggregation: string;
};

const ENCODINGS: readonly NonNullable<ImportJob['options']['encoding']>[] = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1252',
];

/** Shows how a file is read, and lets a person correct variables, units and the time zone. */
export function PlanFields({
  job,
  formats,
  fields,
  choices,
  onChoose,
}: {
  readonly job: ImportJob;
  readonly formats: readonly ImportFormat[];
  /** The present texts of the fields that were touched. */
  readonly fields: Fields;
  /** The columns of the first plan, as the person wants them. */
  readonly choices: readonly ColumnChoice[];
  readonly onChoose: (choices: readonly ColumnChoice[]) => void;
}) {
  const all = useImportsText();
  const { plan: text } = all;
  const { plan: planned, options } = job;
  const { reply } = useList((api) => api.get('/v1/variables'), undefined, userRequest);
  const [first] = planned?.plans ?? [];
  const shown = fieldsOf(options);
  const lock = lockOf(job);
  const hints: Readonly<Partial<Record<FieldName, string>>> = text.hints;
  const lists: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    ...text.choices,
    preset: Object.fromEntries(formats.map(({ name, title }) => [name, title])),
    encoding: Object.fromEntries(ENCODINGS.map((name) => [name, name])),
  };
  // A request may have set a text that is not in the list.
  const choicesFor = (name: FieldName, value: string) => ({
    '': text.auto,
    ...(value !== '' && { [value]: value }),
    ...lists[name],
  });
  const change = (index: number, choice: ColumnChoice) =>
    onChoose(choices.map((one, at) => (at === index ? choice : one)));
  return (
    <>
      {planned !== null && <h4>{text.title}</h4>}
      {planned !== null && planned.files > 1 && <p>{text.files(planned.files)}</p>}
      {planned?.plans.map((plan) => (
        <Description key={plan.file} plan={plan} />
      ))}
      {planned?.skipped.map(({ file, reason }) => (
        <p key={file}>{text.notRead(file, sentenceOf(reason, [], all, ' '))}</p>
      ))}
      {lock !== undefined && <p>{text.locks[lock]}</p>}
      {reply !== undefined && first === undefined && choices.length > 0 && (
        <Columns label={text.title} choices={choices} variables={reply.variables} onChange={change} />
      )}
      {reply !== undefined &&
        planned?.plans.map((plan) => (
          <Columns
            key={plan.file}
            label={`${text.title}: ${plan.file}`}
            choices={plan === first ? choices : choicesOf(plan)}
            variables={reply.variables}
            plan={plan}
            isLocked={lock !== undefined}
            onChange={change}
          />
        ))}
      <FormField
        name="time_zone"
        label={text.fields.time_zone}
        hint={text.hints.time_zone}
        defaultValue={shown.time_zone}
        autocapitalize="none"
      />
      <details open={first === undefined}>
        <summary>{text.more}</summary>
        <div class="fields">
          {NAMES.filter((name) => name !== 'time_zone').map((name) =>
            FIELDS[name] === 'choice' || FIELDS[name] === 'no' ? (
              <label key={name} class="field">
                {text.fields[name]}
                <select name={name} value={fields[name] ?? shown[name]}>
                  {Object.entries(choicesFor(name, shown[name])).map(([value, label]) => (
                    <option key={value} value={value}>
                      {label}
                    </option>
                  ))}
                </select>
              </label>
            ) : (
              <FormField
                key={name}
                name={name}
                label={text.fields[name]}
                hint={hints[name]}
                defaultValue={shown[name]}
                autocapitalize="none"
                {...(FIELDS[name] === 'number' && { type: 'number', min: 0, step: '1' })}
              />
            ),
          )}
        </div>
      </details>
      {planned?.plans.map((plan) => (
        <FirstRows key={plan.file} plan={plan} />
      ))}
    </>
  );
}

function Description({ plan }: { readonly plan: Plan }) {
  const all = useImportsText();
  const { plan: text } = all;
  const { time, doubt, notes, skipped, reporting_interval: reporting } = plan;
  return (
    <>
      <p>
        <strong>{plan.file}</strong>: {plan.title}
      </p>
      <p>
        {text.time}: {text.timeOf(time.headings.join(', '), time.formats.join(', '), time.zone)}
      </p>
      {time.interval > 0 && <p>{text.interval(time.interval)}</p>}
      {time.whole_days && <p>{text.wholeDays}</p>}
      {reporting !== null && <p>{text.reporting(reporting)}</p>}
      {skipped.map((reason) => (
        <p key={reason}>{text.skipped(reason)}</p>
      ))}
      {notes.map((note) => (
        <p key={note}>{sentenceOf(note, [], all, ' ')}</p>
      ))}
      {doubt !== null && <p class="fault">{text.doubt}</p>}
    </>
  );
}

function Columns({
  label,
  choices,
  variables,
  plan,
  isLocked = false,
  onChange,
}: {
  readonly label: string;
  readonly choices: readonly ColumnChoice[];
  readonly variables: readonly Variable[];
  readonly plan?: Plan;
  readonly isLocked?: boolean;
  readonly onChange: (index: number, choice: ColumnChoice) => void;
}) {
  const write = useSixDigits();
  const { plan: text } = useImportsText();
  return (
    <Table label={label} heads={text.columns} rows={choices}>
      {(choice, index) => (
        <Column
          key={`${index} ${choice.heading}`}
          choice={choice}
          variables={variables}
          sample={plan === undefined ? '' : sampleOf(plan, choice, write)}
          isLocked={isLocked}
          onChange={(changed) => onChange(index, changed)}
        />
      )}
    </Table>
  );
}

function Column({
  choice,
  variables,
  sample,
  isLocked,
  onChange,
}: {
  readonly choice: ColumnChoice;
  readonly variables: readonly Variable[];
  readonly sample: string;
  readonly isLocked: boolean;
  readonly onChange: (choice: ColumnChoice) => void;
}) {
  const { plan: text } = useImportsText();
  const { heading, variable: name, unit, kind } = choice;
  const variable = variables.find((known) => known.name === name);
  const units = [...new Set([...(unit === '' ? [] : [unit]), ...(variable?.units ?? [])])];
  const chooseVariable = (chosen: string) => {
    const { units: known = [], unit: stored = '' } = variables.find((one) => one.name === chosen) ?? {};
    onChange({ heading, variable: chosen, unit: known.includes(unit) ? unit : stored, kind: undefined });
  };
  return (
    <tr>
      <th scope="row">{heading}</th>
      <td>
        <select
          aria-label={text.variableOf(heading)}
          disabled={isLocked}
          value={name}
          onChange={(event) => chooseVariable(event.currentTarget.value)}
        >
          <option value="">{text.notImported}</option>
          {variables.map((one) => (
            <option key={one.name}>{one.name}</option>
          ))}
        </select>
      </td>
      <td>
        {variable !== undefined && (
          <select
            aria-label={text.unitOf(heading)}
            disabled={isLocked}
            value={unit}
            onChange={(event) => onChange({ ...choice, unit: event.currentTarget.value })}
          >
            {units.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        )}
      </td>
      <td>
        {variable?.aggregation === 'sum' && (
          <select
            aria-label={text.kindOf(heading)}
            disabled={isLocked}
            value={kind ?? ''}
            onChange={(event) => {
              const { value } = event.currentTarget;
              onChange({ ...choice, kind: value === '' ? undefined : (value as 'amount' | 'counter') });
            }}
          >
            <option value="">{text.kinds.auto}</option>
            <option value="amount">{text.kinds.amount}</option>
            <option value="counter">{text.kinds.counter}</option>
          </select>
        )}
      </td>
      <td>{sample}</td>
    </tr>
  );
}

/** Returns a function that writes a number with at most six significant digits. */
function useSixDigits(): (value: number) => string {
  const number = useNumbers();
  return (value) => number(value, /\.(\d+)$/.exec(String(Number(value.toPrecision(6))))?.[1]?.length ?? 0);
}

/** The first value of a column as it will be stored. */
function sampleOf(
  { first_rows: rows }: Plan,
  { variable }: ColumnChoice,
  write: (value: number) => string,
): string {
  const column = rows?.columns.find((one) => one.variable === variable);
  const value = column?.values.find((one) => one !== null);
  return column === undefined || value == null ? '' : `${write(value)} ${column.unit}`;
}

function FirstRows({ plan: { file, first_rows: rows } }: { readonly plan: Plan }) {
  const { plan: text } = useImportsText();
  const write = useSixDigits();
  if (rows === null) return null;
  if (rows.times.length === 0) return <p>{rows.problem ?? text.noRows}</p>;
  return (
    <details>
      <summary>
        {text.firstRows} ({file})
      </summary>
      <div class="table-scroll" role="region" aria-label={text.firstRows} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{text.variable}</th>
              {rows.times.map((time) => (
                <th key={time} scope="col">
                  <Time at={time} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.columns.map(({ variable, unit, values }) => (
              <tr key={variable}>
                <th scope="row">{`${variable} (${unit})`}</th>
                {values.map((value, index) => (
                  <td key={index}>{value === null ? '–' : write(value)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
