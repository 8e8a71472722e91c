import { type QuestionCode, say, type Sentence } from './sentences.js';

/**
 * A question that only a person can answer. The key of a question is the same in every import format, because an option may
 * answer it.
 */
export interface Question {
  readonly key: QuestionKey;
  /** The question. Its text ends with a question mark. */
  readonly sentence: Sentence<QuestionCode>;
  /** The possible answers, the most likely first. */
  readonly choices: readonly string[];
}

export type QuestionKey = 'date-order' | 'day-stamp' | `unit:${string}` | `kind:${string}`;

/** Answers by the key of their question. They come from the options of the command. */
export type Answers = ReadonlyMap<string, string>;

/** The order of the parts of a date. */
export const DATE_ORDERS = ['DMY', 'MDY'] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

/** The kinds of amounts: amounts of intervals (`amount`), or a running total (`counter`). */
export const KINDS = ['amount', 'counter'] as const;
export type AmountKind = (typeof KINDS)[number];

/** A text as one word of a command. */
export function wordOf(text: string): string {
  return /^[\w.°/%=-]+$/.test(text) ? text : `'${text}'`;
}

/**
 * Collects the questions to the user that arise while an import format examines a file, for example about the unit of
 * temperatures.
 */
export class Questions {
  /** The questions without an answer. */
  readonly open: Question[] = [];
  readonly #answers: Answers;

  constructor(answers: Answers) {
    this.#answers = answers;
  }

  /** The value of an option that is not an answer to a question: `format` (name of the import format) or `issued`. */
  optionValue(option: 'format' | 'issued'): string | undefined {
    return this.#answers.get(option);
  }

  /**
   * Whether the values of a column are amounts of intervals or a running total, if the user has already said so. Otherwise
   * undefined: unlike `kind`, this function does not ask the user.
   */
  answered(key: `kind:${string}`): AmountKind | undefined {
    const answer = this.#answers.get(key);
    return KINDS.find((kind) => kind === answer);
  }

  /** The answer to a question. Without an answer the question is recorded, and the first choice is returned. */
  ask<T extends string>(
    key: QuestionKey,
    sentence: Sentence<QuestionCode>,
    choices: readonly [T, ...T[]],
  ): T {
    const answer = this.#answers.get(key);
    if (answer !== undefined && choices.includes(answer as T)) return answer as T;
    if (!this.open.some((question) => question.key === key)) this.open.push({ key, sentence, choices });
    return choices[0];
  }

  /**
   * The unit of a quantity that the file does not name.
   *
   * @param quantity `temperature`, `pressure`, `wind`, `rain`: the same word in every import format
   */
  unit<T extends string>(quantity: string, choices: readonly [T, ...T[]]): T {
    const sentence = say('unit', { quantity, units: choices.join(', ') });
    return this.ask(`unit:${quantity}`, sentence, choices);
  }

  /**
   * Whether dates begin with the day or with the month. No question is asked if a sample has a number above 12 in the first or
   * second position.
   *
   * @param samples dates such as `7/1/24`
   */
  dateOrder(samples: readonly string[]): 'DMY' | 'MDY' {
    const parts = samples.map((sample) => /^\s*(\d+)\D+(\d+)/.exec(sample));
    if (parts.some((part) => Number(part?.[1]) > 12)) return 'DMY';
    if (parts.some((part) => Number(part?.[2]) > 12)) return 'MDY';
    return this.ask('date-order', say('date-order', { date: samples[0] ?? '' }), ['DMY', 'MDY']);
  }

  /**
   * Whether the timestamps of daily values are at the start or at the end of the day.
   *
   * @param heading heading of a column of daily values
   */
  dayStamp(heading: string, sample: string): 'begin' | 'end' {
    const sentence = say('day-stamp', { time: sample, column: JSON.stringify(heading) });
    return this.ask('day-stamp', sentence, ['begin', 'end']);
  }

  /** Whether the values of a column are amounts of intervals or a running total. @param likely the first choice */
  kind(heading: string, likely: AmountKind): AmountKind {
    const other = likely === 'amount' ? 'counter' : 'amount';
    return this.ask(`kind:${heading}`, say('kind', { column: JSON.stringify(heading) }), [likely, other]);
  }
}
