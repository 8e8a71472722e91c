/** Whether an error of SQLite reports that a page of the data file is damaged. */
export function isCorrupt(error: unknown): error is Error {
  return error instanceof Error && String((error as { code?: unknown }).code).startsWith('SQLITE_CORRUPT');
}
