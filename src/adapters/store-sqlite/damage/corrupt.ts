/** Whether an error of SQLite reports a damaged page. */
export function isCorrupt(error: unknown): error is Error {
  return error instanceof Error && String((error as { code?: unknown }).code).startsWith('SQLITE_CORRUPT');
}
