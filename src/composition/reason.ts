/** The messages of an error and of its causes in one line. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  // The message of a wrapping error usually repeats that of its cause.
  return cause instanceof Error && !error.message.includes(cause.message)
    ? `${error.message} ${cause.message}`
    : error.message;
}
