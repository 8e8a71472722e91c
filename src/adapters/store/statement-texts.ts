import { type Fragment, type Statement, takeApart, sqlText, type SqlValue } from './sql.js';

/** Most texts of one template. A fragment that holds a value would make a text for each value. */
const MAX_TEXTS = 100;

interface Made<T> {
  readonly pieces: readonly unknown[];
  readonly made: T;
}

/**
 * What a database makes of the texts of statements, once for each text. Texts are found by their template and by what is nested in it,
 * without being written again.
 */
export class StatementTexts<T> {
  readonly #database: keyof Fragment;
  readonly #make: (text: string) => T;
  readonly #made = new WeakMap<TemplateStringsArray, Made<T>[]>();

  constructor(database: keyof Fragment, make: (text: string) => T) {
    this.#database = database;
    this.#make = make;
  }

  /**
   * What was made of the text of a statement, and the values in the order of the text.
   *
   * @throws Error if a template has too many texts
   */
  of(statement: Statement): readonly [made: T, values: SqlValue[]] {
    const { values, pieces } = takeApart(statement, this.#database);
    const all = this.#made.get(statement.texts) ?? [];
    for (const one of all) if (areEqual(one.pieces, pieces)) return [one.made, values];
    return [this.#add(statement, pieces, all), values];
  }

  #add(statement: Statement, pieces: readonly unknown[], all: Made<T>[]): T {
    if (all.length >= MAX_TEXTS)
      throw new Error(`a template has more than ${MAX_TEXTS} texts: ${statement.texts.join('…')}`);
    const made = this.#make(sqlText(statement, this.#database));
    all.push({ pieces, made });
    this.#made.set(statement.texts, all);
    return made;
  }
}

function areEqual(one: readonly unknown[], other: readonly unknown[]): boolean {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at += 1) if (one[at] !== other[at]) return false;
  return true;
}
