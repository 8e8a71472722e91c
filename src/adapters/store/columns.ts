/** A boolean, which SQLite returns as a number. */
export const isTrue = (value: unknown): boolean => value === true || value === 1;

/** JSON, which SQLite returns as text. @throws SyntaxError for a text that is not JSON */
export const fromJson = (value: unknown): unknown =>
  typeof value === 'string' ? (JSON.parse(value) as unknown) : value;

/** Whether both databases can hold `text`: PostgreSQL cannot hold the character 0, and JSON for it no half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return !text.includes('\u0000') && text.isWellFormed();
}

/** Whether a statement was refused because another row has a value that must be unique: SQLSTATE, or the result code of SQLite. */
export function isUniqueViolation(error: unknown): boolean {
  const code = (error as { readonly code?: unknown }).code;
  return code === '23505' || code === 'SQLITE_CONSTRAINT_UNIQUE';
}
