/**
 * An SQL statement for both databases. Its values are embedded in the template:
 *
 *     sql`SELECT name FROM weatherd.alarm WHERE id = ${id}`
 *
 * Tables are named with the schema `weatherd`, which is removed for SQLite. A statement can be nested in another one. The SQL
 * text is built once for each template and its nested parts (statement-texts.ts). Rules for SQL that both databases understand:
 *
 * - The table of an UPDATE or DELETE with RETURNING has no alias, and a statement that writes is not nested in another one.
 * - EXISTS contains `SELECT 1`.
 * - A value has an explicit type, `${integer(number)}`, where PostgreSQL cannot infer the type (a column of INSERT … SELECT, a
 *   comparison with NULL).
 * - A set of rows is sent as one value: `rowsOf`, `sqlValues`.
 */
export interface Statement {
  readonly texts: TemplateStringsArray;
  readonly parts: readonly Part[];
}

/** A value that is sent separately from the text. */
export type SqlValue = string | number | boolean | null | Uint8Array;
/** A value with its type in PostgreSQL. */
export interface TypedValue {
  readonly value: SqlValue;
  readonly type: ColumnType;
}
/** A part of the SQL text that differs between the databases. */
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
/** An object as JSON. SQLite stores JSON as text. */
export const jsonValue = (value: object | null): TypedValue => ({
  value: value && JSON.stringify(value),
  type: 'jsonb',
});

/**
 * A part of the SQL text that is the same for both databases. The part must not contain a value, because each value would create
 * another SQL text.
 */
export const both = (piece: string): Fragment => ({ sqlite: piece, postgres: piece });

/** Orders texts by code points, independent of the collation of the database: `ORDER BY name ${CODE_POINTS}`. */
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
/** The functions that create a JSON object and a JSON array: `${JSON_OBJECT}('name', name)`, `${JSON_ARRAY}(name ORDER BY name)`. */
export const JSON_OBJECT: Fragment = { sqlite: 'json_object', postgres: 'jsonb_build_object' };
export const JSON_ARRAY: Fragment = { sqlite: 'json_group_array', postgres: 'jsonb_agg' };

/**
 * Returns a function that turns rows into a table for FROM. The name of the table is `given`, and all rows are sent as one value.
 * An example with `const STATES = rowsOf({ … })`: `SELECT given.station FROM ${STATES(states)}`. The rows have the fields of
 * `columns`. The values undefined and null become NULL.
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
 * Returns a function that turns values into a table with one column for FROM: `SELECT key FROM ${KEYS(keys)}`, with `const KEYS =
 * sqlValues('key', 'text')`. The name of the table is `given`, and all values are sent as one value. In SQLite, this takes a
 * fraction of the time of `rowsOf`.
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
/**
 * Joins parts with commas. An empty list becomes NULL. Use this function only for lists with few different lengths, because the
 * statement has another SQL text for each length.
 */
export function sqlList(parts: readonly Part[]): Part {
  const [first = null, ...others] = parts;
  const list: Part[] = [first];
  for (const part of others) list.push(COMMA, part);
  return list;
}

/** Returns the text of a statement, with `?` or `$1`, `$2`, … in place of its values. */
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

/** The values of a statement, and the parts that determine its SQL text. */
export interface StatementParts {
  /** The values, in the order of the text. */
  readonly values: SqlValue[];
  /**
   * Describes the parts `${…}` of the template of a statement. Two statements with the same template and equal `pieces` have the
   * same SQL text. For each part, in order, the array contains one or more entries:
   *
   * - for a nested statement: its template, and then the entries for its own parts
   * - for a fragment (SQL that can differ between the databases): its SQL for this database
   * - for a list: its length, and then the entries for its elements
   * - for a value: undefined, because a value does not change the text
   * - for a value with a type: null, and then the type
   */
  readonly pieces: unknown[];
}

export function splitStatement({ parts }: Statement, database: keyof Fragment): StatementParts {
  const split: StatementParts = { values: [], pieces: [] };
  for (const part of parts) add(part, split, database);
  return split;
}

function add(part: Part, split: StatementParts, database: keyof Fragment): void {
  if (typeof part !== 'object' || part === null || part instanceof Uint8Array) {
    split.values.push(part);
    split.pieces.push(undefined);
  } else if (isList(part)) {
    split.pieces.push(part.length);
    for (const one of part) add(one, split, database);
  } else if (isStatement(part)) {
    split.pieces.push(part.texts);
    for (const one of part.parts) add(one, split, database);
  } else if (isFragment(part)) split.pieces.push(part[database]);
  else {
    split.values.push(part.value);
    split.pieces.push(null, part.type);
  }
}

const isList = (part: Part): part is readonly Part[] => Array.isArray(part);
const has = (part: Part, field: string) =>
  typeof part === 'object' && (part as Readonly<Record<string, unknown>> | null)?.[field] !== undefined;
const isStatement = (part: Part): part is Statement => has(part, 'texts');
const isFragment = (part: Part): part is Fragment => has(part, 'sqlite');
const isTyped = (part: SqlValue | TypedValue): part is TypedValue => has(part, 'type');
