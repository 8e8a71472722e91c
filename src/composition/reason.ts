/** The messages of an error and of its causes in one line. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  // A wrapper usually repeats what it wraps; the outermost cause has said it all.
  return cause instanceof Error && !error.message.includes(cause.message)
    ? `${error.message} ${cause.message}`
    : error.message;
}
