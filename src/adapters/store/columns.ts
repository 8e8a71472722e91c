/** The boolean value of a column. SQLite returns booleans as 0 or 1. */
export const isTrue = (value: unknown): boolean => value === true || value === 1;

/** The JSON value of a column. SQLite returns JSON as text. @throws SyntaxError for a text that is not JSON */
export const fromJson = (value: unknown): unknown =>
  typeof value === 'string' ? (JSON.parse(value) as unknown) : value;

/**
 * Whether SQLite and PostgreSQL can both store `text`. PostgreSQL cannot store the character U+0000, and JSON in PostgreSQL
 * cannot store an unpaired surrogate.
 */
export function isStorable(text: string): boolean {
  return !text.includes('\u0000') && text.isWellFormed();
}

/**
 * Whether a statement failed because another row has the same unique value. Compares the SQLSTATE of PostgreSQL or the result code of
 * SQLite.
 */
export function isUniqueViolation(error: unknown): boolean {
  const code = (error as { readonly code?: unknown }).code;
  return code === '23505' || code === 'SQLITE_CONSTRAINT_UNIQUE';
}
