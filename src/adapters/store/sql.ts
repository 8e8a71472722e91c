/**
 * A statement of SQL for both databases, with its values in the text:
 *
 *     sql`SELECT name FROM weatherd.alarm WHERE id = ${id}`
 *
 * Tables are named with the schema, which SQLite does not have. A statement can be a part of another one. The text is made once for
 * each place in the code and for what is nested there (statement-texts.ts). What both databases understand:
 *
 * - no alias for the table of an UPDATE or DELETE with RETURNING, and no statement that writes within another one
 * - `SELECT 1` in EXISTS
 * - a value of which PostgreSQL cannot tell the type from its place (a column of INSERT … SELECT, a comparison with NULL) has its
 *   type: `${integer(number)}`
 * - a set of rows is one value: `rowsOf`, `valuesOf`
 */
export interface Statement {
  readonly texts: TemplateStringsArray;
  readonly parts: readonly Part[];
}

/** A value that is sent beside the text. */
export type SqlValue = string | number | boolean | null | Uint8Array;
/** A value with its type in PostgreSQL. */
export interface TypedValue {
  readonly value: SqlValue;
  readonly type: ColumnType;
}
/** A piece of the text that the databases write differently. */
export interface Fragment {
  readonly sqlite: string;
  readonly postgres: string;
}
export type Part = SqlValue | TypedValue | Fragment | Statement | readonly Part[];
export type ColumnType = 'text' | 'integer' | 'bigint' | 'double precision' | 'boolean' | 'jsonb';

export function sql(texts: TemplateStringsArray, ...parts: readonly Part[]): Statement {
  return { texts, parts };
}

const typed =
  (type: ColumnType) =>
  (value: SqlValue): TypedValue => ({ value, type });
export const text = typed('text');
export const integer = typed('integer');
export const bigint = typed('bigint');
export const double = typed('double precision');
export const boolean = typed('boolean');
/** An object as JSON, which SQLite keeps as text. */
export const jsonValue = (value: object | null): TypedValue => ({
  value: value && JSON.stringify(value),
  type: 'jsonb',
});

/** A piece of the text that both databases write alike. It must not hold a value: each makes a text of its own. */
export const both = (piece: string): Fragment => ({ sqlite: piece, postgres: piece });

/** Orders texts by code points, whatever the collation of the database: `ORDER BY name ${CODE_POINTS}`. */
export const CODE_POINTS: Fragment = { sqlite: '', postgres: 'COLLATE "C"' };

/** The larger one of two expressions. */
export const greater = (one: string, other: string): Fragment => ({
  sqlite: `max(${one}, ${other})`,
  postgres: `greatest(${one}, ${other})`,
});
/** The smaller one of two expressions. */
export const lesser = (one: string, other: string): Fragment => ({
  sqlite: `min(${one}, ${other})`,
  postgres: `least(${one}, ${other})`,
});
/** The functions that make an object and an array of JSON: `${JSON_OBJECT}('name', name)`, `${JSON_ARRAY}(name ORDER BY name)`. */
export const JSON_OBJECT: Fragment = { sqlite: 'json_object', postgres: 'jsonb_build_object' };
export const JSON_ARRAY: Fragment = { sqlite: 'json_group_array', postgres: 'jsonb_agg' };

/**
 * Makes a table of `given` rows that are sent as one value: `SELECT station FROM ${STATES(states)}`. The rows have the fields of
 * `columns`, of which undefined and null are NULL.
 */
export function rowsOf<C extends Readonly<Record<string, ColumnType>>>(columns: C) {
  const cells = Object.entries(columns).map(([name, type]) =>
    type === 'jsonb' ? `nullif(value -> '$.${name}', 'null') AS ${name}` : `value ->> '$.${name}' AS ${name}`,
  );
  const names = Object.entries(columns).map(([name, type]) => `${name} ${type}`);
  const before: Fragment = {
    sqlite: `(SELECT ${cells.join(', ')} FROM json_each(`,
    postgres: 'jsonb_to_recordset(',
  };
  const after: Fragment = { sqlite: ')) AS given', postgres: `) AS given (${names.join(', ')})` };
  return (rows: readonly Readonly<Record<keyof C, unknown>>[]): Part => [before, jsonValue(rows), after];
}

/**
 * Makes a table of values that are sent as one: `SELECT key FROM ${KEYS(keys)}`. In SQLite it takes a fraction of what `rowsOf` takes.
 */
export function sqlValues(column: string, type: ColumnType) {
  const before: Fragment = {
    sqlite: `(SELECT value AS ${column} FROM json_each(`,
    postgres: `(SELECT value::${type} AS ${column} FROM jsonb_array_elements_text(`,
  };
  const after: Fragment = { sqlite: ')) AS given', postgres: ')) AS given' };
  return (values: readonly (string | number)[]): Part => [before, jsonValue(values), after];
}

const COMMA = both(', ');
/** A list of parts, for few lengths: each has a text of its own. NULL if it is empty. */
export function sqlList(parts: readonly Part[]): Part {
  const [first = null, ...others] = parts;
  const list: Part[] = [first];
  for (const part of others) list.push(COMMA, part);
  return list;
}

/** The text of a statement, with `?` or `$1`, `$2`, … for its values. */
export function sqlText(statement: Statement, database: keyof Fragment): string {
  let count = 0;
  const schema = /\bweatherd\./g;
  const own = (piece: string) => (database === 'sqlite' ? piece.replace(schema, '') : piece);
  const writeAll = ({ texts, parts }: Statement): string =>
    texts
      .map((piece, index) => own(piece) + (index < parts.length ? write(parts[index] as Part) : ''))
      .join('');
  const write = (part: Part): string => {
    if (isList(part)) return part.map(write).join('');
    if (isStatement(part)) return writeAll(part);
    if (isFragment(part)) return part[database];
    count += 1;
    if (database === 'sqlite') return '?';
    return isTyped(part) ? `$${count}::${part.type}` : `$${count}`;
  };
  return writeAll(statement);
}

/** What a statement has been taken apart into. */
export interface TakenApart {
  /** In the order of the text. */
  readonly values: SqlValue[];
  /**
   * All that the text is made of beside the outermost template. Two statements with this template and equal pieces have the same text:
   * a nested template is itself, a fragment its text, a list its length, a value undefined, and a value with a type null and its type.
   */
  readonly pieces: unknown[];
}

export function takeApart({ parts }: Statement, database: keyof Fragment): TakenApart {
  const taken: TakenApart = { values: [], pieces: [] };
  for (const part of parts) add(part, taken, database);
  return taken;
}

function add(part: Part, taken: TakenApart, database: keyof Fragment): void {
  if (typeof part !== 'object' || part === null || part instanceof Uint8Array) {
    taken.values.push(part);
    taken.pieces.push(undefined);
  } else if (isList(part)) {
    taken.pieces.push(part.length);
    for (const one of part) add(one, taken, database);
  } else if (isStatement(part)) {
    taken.pieces.push(part.texts);
    for (const one of part.parts) add(one, taken, database);
  } else if (isFragment(part)) taken.pieces.push(part[database]);
  else {
    taken.values.push(part.value);
    taken.pieces.push(null, part.type);
  }
}

const isList = (part: Part): part is readonly Part[] => Array.isArray(part);
const has = (part: Part, field: string) =>
  typeof part === 'object' && (part as Readonly<Record<string, unknown>> | null)?.[field] !== undefined;
const isStatement = (part: Part): part is Statement => has(part, 'texts');
const isFragment = (part: Part): part is Fragment => has(part, 'sqlite');
const isTyped = (part: SqlValue | TypedValue): part is TypedValue => has(part, 'type');
