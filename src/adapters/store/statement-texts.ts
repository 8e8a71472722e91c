import { type Fragment, type Statement, splitStatement, sqlText, type SqlValue } from './sql.js';

/**
 * Maximum number of SQL texts of one template. A template with more texts is a mistake in the program: it has a fragment that
 * contains a value, so that each value creates another text.
 */
const MAX_TEXTS = 100;

interface Prepared<T> {
  readonly pieces: readonly unknown[];
  readonly prepared: T;
}

/**
 * Caches the objects that a database creates from SQL texts, for example prepared statements. The cache finds the object of a
 * statement without building the SQL text: it compares the template, and those parts of the statement that can change the text
 * (`splitStatement`).
 */
export class StatementTexts<T> {
  readonly #database: keyof Fragment;
  readonly #prepare: (text: string) => T;
  readonly #prepared = new WeakMap<TemplateStringsArray, Prepared<T>[]>();

  constructor(database: keyof Fragment, prepare: (text: string) => T) {
    this.#database = database;
    this.#prepare = prepare;
  }

  /**
   * The cached object of a statement, and the values in the order of the text.
   *
   * @throws Error if a template has too many texts
   */
  of(statement: Statement): readonly [prepared: T, values: SqlValue[]] {
    const { values, pieces } = splitStatement(statement, this.#database);
    const all = this.#prepared.get(statement.texts) ?? [];
    for (const one of all) if (areEqual(one.pieces, pieces)) return [one.prepared, values];
    return [this.#add(statement, pieces, all), values];
  }

  #add(statement: Statement, pieces: readonly unknown[], all: Prepared<T>[]): T {
    if (all.length >= MAX_TEXTS)
      throw new Error(
        `the SQL template "${statement.texts.join('…')}" has more than ${MAX_TEXTS} different texts`,
      );
    const prepared = this.#prepare(sqlText(statement, this.#database));
    all.push({ pieces, prepared });
    this.#prepared.set(statement.texts, all);
    return prepared;
  }
}

function areEqual(one: readonly unknown[], other: readonly unknown[]): boolean {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at += 1) if (one[at] !== other[at]) return false;
  return true;
}
