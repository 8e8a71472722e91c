import { NO_FLAG, type SourceFlag } from '#domain/weather/source-flags.js';
import type { FailedCheck, PlannedColumn } from '../files/file-plan.js';
import type { Fields } from './line-fields.js';
import { cellText, isMet } from './row-conditions.js';

/** Number of different flags whose objects are shared. A file with more has texts that are no flags. */
const MAX_SHARED = 1000;

/**
 * Maximum number of characters of the flags of a value. The flags of the known archives are shorter. A reply repeats the text for
 * each value, so a long text of one line of a file could make a very large reply.
 */
const MAX_FLAGS = 200;

/** Reads what the source says about the values of a column. */
export class FlagReader {
  readonly #at: readonly number[];
  readonly #failed: FailedCheck | undefined;
  /** Most values have one of a few flags, so they share the object of the flag. */
  readonly #shared = new Map<string, SourceFlag>();

  private constructor(at: readonly number[], failed: FailedCheck | undefined) {
    this.#at = at;
    this.#failed = failed;
  }

  /** @returns undefined for a column without flags */
  static of({ flags, failed }: Pick<PlannedColumn, 'flags' | 'failed'>): FlagReader | undefined {
    return flags === undefined && failed === undefined ? undefined : new FlagReader(flags ?? [], failed);
  }

  /** The flag of the value in a row; `NO_FLAG` if the source says nothing. */
  read(fields: Fields): SourceFlag {
    let [text, isEmpty] = ['', true];
    for (let index = 0; index < this.#at.length; index += 1) {
      const part = cellText(fields, this.#at[index] as number);
      text = index === 0 ? part : `${text},${part}`;
      isEmpty &&= part === '';
    }
    text = isEmpty ? '' : kept(text);
    const failure = this.#failureIn(fields);
    if (isEmpty && failure === null) return NO_FLAG;
    const key = failure === null ? text : `${text}\n${failure}`;
    let flag = this.#shared.get(key);
    if (flag === undefined) {
      if (this.#shared.size >= MAX_SHARED) this.#shared.clear();
      this.#shared.set(key, (flag = { text, failure }));
    }
    return flag;
  }

  #failureIn(fields: Fields): string | null {
    if (this.#failed === undefined || !isMet(this.#failed.when, fields)) return null;
    const { when, reason } = this.#failed;
    if (typeof reason === 'string') return reason;
    const text = cellText(fields, when.at);
    const group = 'matches' in when ? when.matches.exec(text)?.[1] : undefined;
    const flag = group ?? text;
    return Object.hasOwn(reason, flag)
      ? (reason[flag] as string)
      : `failed a check of the source (flag ${kept(flag)})`;
  }
}

/** A text of a file as it is stored: cut at `MAX_FLAGS`, and without control characters, which a terminal would execute. */
function kept(text: string): string {
  return text.slice(0, MAX_FLAGS).replaceAll(/\p{Cc}/gu, ' ');
}
