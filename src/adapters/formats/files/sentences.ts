import { DomainError, type DomainErrorCode } from '#domain/domain-error.js';

/**
 * Why a row or a cell was not imported, or was changed. Several sentences about a row are joined by commas.
 *
 * In all sentences here, `{name}` stands for a value, and `[field rest]` for an option, by its field in requests. The rest says how
 * the command writes the option, and is shown to its users only.
 */
export const REJECTIONS = {
  'line-unreadable': '{fault}',
  'field-count': '{row} has {count} fields instead of {expected}',
  'text-refused': '{text} {fault}',
  'time-unreadable': '{text} {fault}',
  'time-refused': '{text} {fault}',
  'time-skipped': '{text} does not exist in {zone}, because clocks were set forward',
  'time-twice': '{text} occurs twice in {zone}, because clocks were set back, so that its instant is unclear',
  'cell-encoding': '{text} is not valid text in this encoding',
  'cell-decimal-comma': '{text} is not a number with a decimal comma',
  'cell-comma': '{text} has a comma: to read it as a decimal sign, use [decimal ,]',
  'cell-number': '{text} is not a number',
  'cell-scale': '{text} is not a whole number of the scale',
  'total-order': 'is not later than the row before it, so that the running total has no amount',
  'total-falls': 'falls from {last} to {level} although no reset is due, so that it has no amount',
  'total-first': '{text} is the first reading of a running total, which has no amount',
  'row-without-value': '{row} has no value in an imported column',
  'no-other-value': 'and the row has no other value',
  'row-repeated': 'has the time of line {line}, whose values it replaces',
  'station-unknown': 'There is no station {id}.',
  'row-refused': '{part} {fault}',
} as const;

export const QUESTIONS = {
  'date-order': 'Do dates such as {date} begin with the day or with the month?',
  'date-year': 'Do dates such as {date} begin with the year or with the month?',
  'day-stamp': 'Is a time such as {time} the start or the end of the day of {column}?',
  kind: 'Does {column} contain the amount of each interval, or a running total?',
  unit: 'In which unit is {quantity} ({units})?',
} as const;

/** What a person must say so that a file can be read. Several sentences are joined by blanks. */
export const NEEDS = {
  'encoding-doubtful': 'The text is read as {encoding}. If this is wrong, set [encoding] to {others}.',
  'time-column-unknown':
    'No column with a time was found. Name it with [time_column], twice if date and time are separate.',
  'columns-are': 'The columns of the file are: {columns}.',
  'columns-are-numbers': 'Columns are named by their number from 1.',
  'time-without-date': 'Times such as {time} have no date. Name the date with [date YYYY-MM-DD].',
  'time-format-unknown':
    'Times such as {time} have an unknown format. Name it with [time_format], more than once if times have several formats.',
  'variables-unknown': 'No heading names a variable. Name the columns with [columns COLUMN=VARIABLE:UNIT].',
  'format-without-variable':
    '{title}: no column has a variable of the service. Name the variables with [columns COLUMN=VARIABLE:UNIT].',
  'long-incomplete':
    'The long form needs [value_column], and [columns NAME=VARIABLE:UNIT] for each name in the column of variables.',
  'table-missing':
    'The file has no table at line {line}. Set [skip_lines] to the number of lines before the table.',
  'headings-missing': {
    command:
      'Line {line} has no headings ({texts} …). If the file has no headings, use [header]; columns are then named by their number from 1.',
    request:
      'Line {line} has no headings ({texts} …). If the file has no headings, set [header] to false; columns are then named by their number from 1.',
  },
  'interval-unknown':
    'The column {column} has the energy of an interval in {unit}. Name the length of the interval with [interval SECONDS].',
  'preset-refused': 'The file does not have the import format of [preset]: {title}.',
  'stations-several': {
    command:
      'The file has rows of several stations ({first}, {second} …). Give [only {first}] for the rows of one station; without [station] each row goes to the station that has the code as its id or identifier.',
    request:
      'The file has rows of several stations ({first}, {second} …). Set [only] to the code of one of them.',
  },
  'issued-broken': '[issued]: {text} {fault}.',
  'total-likely':
    'Up to line {line} the column {column} looks like a running total. Use [counter {word}] to store the differences between rows, or [amount {word}] to store the values as amounts.',
  'total-possible':
    'The column {column} has too few values that fall, so that it may be a running total. Use [counter {word}] to store the differences between rows, or [amount {word}] to store the values as amounts.',
} as const;

/** Other sentences with options. */
export const OTHERS = {
  'station-missing':
    'Give [station] with the id of the station of all rows, or [station_column] with the column that names it.',
  'station-removed': {
    command:
      'There is no station {id}. "weatherd station list" shows the stations, and "weatherd station add" creates one.',
    request: 'There is no station {id}.',
  },
  'columns-guessed':
    'the columns were recognized by their headings. Confirm them with [confirm], or name them with [columns COLUMN=VARIABLE:UNIT].',
  'columns-mostly-unknown': 'Most columns are unknown: {unknown} are left out, {known} are read.',
  'confirm-plan': 'Confirm it with [confirm].',
  'not-mapped': 'not in [columns]',
  'not-mapped-entity': 'not in [columns ENTITY=VARIABLE:UNIT]',
  'name-variable': 'name its variable with [columns]',
  'left-out': '[leave_out]',
  'mapped-elsewhere': '[columns] names another column for {variable}',
  'of-unmapped': 'of {name}, which [columns] does not name',
  'metar-month':
    'Reports name a day without a month. The newest report of a station is assumed to be on the last such day before {before} ([issued]), and earlier months are counted from there.',
  'metar-interval':
    'The interval between routine reports cannot be concluded from their minutes. If the station has no reporting interval, name it with [interval SECONDS].',
} as const;

const SENTENCES = { ...REJECTIONS, ...QUESTIONS, ...NEEDS, ...OTHERS };

/** Options by their fields in requests, as the command has them. */
const OPTIONS = {
  amount: '--amount',
  columns: '--map',
  confirm: '--yes',
  counter: '--counter',
  date: '--date',
  decimal: '--decimal',
  encoding: '--encoding',
  header: '--no-header',
  interval: '--interval',
  issued: '--issued',
  leave_out: '--leave-out',
  only: '--only',
  preset: '--preset',
  skip_lines: '--skip-lines',
  station: '--station',
  station_column: '--station-column',
  time_column: '--time-column',
  time_format: '--time-format',
  value_column: '--value-column',
} as const;

export type SentenceCode = keyof typeof SENTENCES;
export type RejectionCode = keyof typeof REJECTIONS;
export type QuestionCode = keyof typeof QUESTIONS;
export type NeedCode = keyof typeof NEEDS;

/** Who reads a sentence: a person at the terminal, or somebody who sends requests. */
export type Reader = 'command' | 'request';

/** A sentence about a file. Its code is never renamed, because replies have it. */
export interface Sentence<C extends SentenceCode = SentenceCode> {
  readonly code: C;
  readonly values: Readonly<Record<string, string>>;
}

type TemplatesOf<C extends SentenceCode> = (typeof SENTENCES)[C] extends infer T
  ? T extends string
    ? T
    : T[keyof T]
  : never;
type NamesIn<T> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

/** Makes a sentence. The compiler asks for its values. */
export function say<C extends SentenceCode>(
  code: C,
  values: Readonly<Record<NamesIn<TemplatesOf<C>>, string | number>>,
): Sentence<C> {
  const texts = Object.entries<string | number>(values).map(([name, value]) => [name, String(value)]);
  return { code, values: Object.fromEntries(texts) as Record<string, string> };
}

/** The English text of a sentence, or a text without options. */
export function textOf(sentence: Sentence | string, reader: Reader): string {
  if (typeof sentence === 'string') return sentence;
  const { code, values } = sentence;
  const texts: string | Readonly<Record<Reader, string>> = SENTENCES[code];
  const fill = (text: string): string =>
    text.replace(/\[([^[\]]+)\]|\{(\w+)\}/g, (_, option: string | undefined, name: string) => {
      if (option === undefined) return values[name] ?? '';
      const field = option.split(' ', 1)[0] as keyof typeof OPTIONS;
      return reader === 'command' ? OPTIONS[field] + fill(option.slice(field.length)) : `\`${field}\``;
    });
  return fill(typeof texts === 'string' ? texts : texts[reader]);
}

/** The text of sentences about one row or cell. */
export function rejectionText(sentences: readonly Sentence[], reader: Reader): string {
  return sentences.map((sentence) => textOf(sentence, reader)).join(', ');
}

type Need = Sentence<NeedCode | 'station-missing' | 'station-removed'>;

interface RefusalDetails {
  readonly code?: DomainErrorCode;
  /** The name of the file, with which the text begins. */
  readonly label?: string;
  readonly headings?: readonly string[];
}

/** A file cannot be read before a person says more about it. */
export class FileRefusal extends DomainError {
  readonly needs: readonly Need[];
  /** The columns of which at least one must be named. */
  readonly headings: readonly string[];
  readonly #label: string | undefined;

  constructor(
    needs: readonly Need[],
    { code = 'REQUEST_INVALID', label, headings = [] }: RefusalDetails = {},
  ) {
    super(code, textAbout(needs, 'command', label));
    this.needs = needs;
    this.headings = headings;
    this.#label = label;
  }

  textFor(reader: Reader): string {
    return textAbout(this.needs, reader, this.#label);
  }

  /** The same refusal with the name of the file. */
  about(label: string): FileRefusal {
    return new FileRefusal(this.needs, { code: this.code, label, headings: this.headings });
  }
}

function textAbout(needs: readonly Need[], reader: Reader, label: string | undefined): string {
  const text = needs.map((sentence) => textOf(sentence, reader)).join(' ');
  // A sentence that begins with an option is not about the file.
  return label === undefined || needs[0]?.code === 'issued-broken' ? text : `${label}: ${text}`;
}
