import { SECONDS_OF_DAY } from '#domain/weather/stations/station-ranges.js';

/**
 * What only a person knows. The key names the question the same way in every make, because an option answers it: see
 * `optionFor`.
 */
export interface Question {
  readonly key: QuestionKey;
  /** A whole sentence that ends with a question mark: `Are the temperatures in °C or in °F?` */
  readonly text: string;
  /** What can be answered; the first one is the likeliest. */
  readonly choices: readonly string[];
}

export type QuestionKey = 'date-order' | 'day-stamp' | `unit:${string}` | `kind:${string}`;

/** What the options say, by key of the question. A make reads it with `answerTo`. */
export type Answers = ReadonlyMap<string, string>;

/** The order of the parts of a date. */
export const DATE_ORDERS = ['DMY', 'MDY'] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

/** Whether a column holds amounts of intervals, or counts on and on. */
export const KINDS = ['amount', 'counter'] as const;
export type AmountKind = (typeof KINDS)[number];

/** The option that gives an answer: `--unit temperature=°F`. */
export function optionFor(key: QuestionKey, answer: string): string {
  if (key === 'date-order') return `--date-order ${answer}`;
  if (key === 'day-stamp') return `--stamp-interval ${answer === 'begin' ? SECONDS_OF_DAY : 0}`;
  const [, name = ''] = /^[a-z]+:(.*)$/s.exec(key) ?? [];
  const word = (text: string) => (/^[\w.°/%=-]+$/.test(text) ? text : `'${text}'`);
  if (key.startsWith('unit:')) return `--unit ${word(`${name}=${answer}`)}`;
  return `--${answer} ${word(name)}`;
}

/** Gathers the questions of a plan while a make looks at a file. */
export class Questions {
  /** Those without an answer. */
  readonly open: Question[] = [];
  readonly #answers: Answers;

  constructor(answers: Answers) {
    this.#answers = answers;
  }

  /** What an option says that is no answer to a question: `make`, `issued`. */
  given(option: 'make' | 'issued'): string | undefined {
    return this.#answers.get(option);
  }

  /** The answer to a question of amounts, without asking it. */
  answered(key: `kind:${string}`): AmountKind | undefined {
    const answer = this.#answers.get(key);
    return KINDS.find((kind) => kind === answer);
  }

  /** The answer to a question; its first choice while it is open. */
  ask<T extends string>(key: QuestionKey, text: string, choices: readonly [T, ...T[]]): T {
    const answer = this.#answers.get(key);
    if (answer !== undefined && choices.includes(answer as T)) return answer as T;
    if (!this.open.some((question) => question.key === key)) this.open.push({ key, text, choices });
    return choices[0];
  }

  /**
   * The unit of a quantity that the file does not tell.
   *
   * @param quantity `temperature`, `pressure`, `wind`, `rain`: the same word in every make
   */
  unit<T extends string>(quantity: string, choices: readonly [T, ...T[]]): T {
    const text = `In which unit is ${quantity} (${choices.join(', ')})?`;
    return this.ask(`unit:${quantity}`, text, choices);
  }

  /**
   * Whether dates begin with the day or with the month. Where one of the samples has a number above 12 in the first or the
   * second place, nobody is asked.
   *
   * @param samples dates such as `7/1/24`
   */
  dateOrder(samples: readonly string[]): 'DMY' | 'MDY' {
    const parts = samples.map((sample) => /^\s*(\d+)\D+(\d+)/.exec(sample));
    if (parts.some((part) => Number(part?.[1]) > 12)) return 'DMY';
    if (parts.some((part) => Number(part?.[2]) > 12)) return 'MDY';
    const text = `Do dates such as ${samples[0] ?? ''} begin with the day or with the month?`;
    return this.ask('date-order', text, ['DMY', 'MDY']);
  }

  /** Whether the time of values of whole days is the beginning or the end of their day. @param heading of one of them */
  dayStamp(heading: string, sample: string): 'begin' | 'end' {
    const text = `Is a time such as ${sample} the beginning or the end of the day of ${JSON.stringify(heading)}?`;
    return this.ask('day-stamp', text, ['begin', 'end']);
  }

  /** Whether the amounts of a column are those of intervals, or count on and on. @param likely the first choice */
  kind(heading: string, likely: AmountKind): AmountKind {
    const other = likely === 'amount' ? 'counter' : 'amount';
    const text = `Does ${JSON.stringify(heading)} hold the amount of each interval, or a running total?`;
    return this.ask(`kind:${heading}`, text, [likely, other]);
  }
}
