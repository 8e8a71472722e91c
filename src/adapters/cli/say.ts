/** Writes a line for whoever typed the command. */
export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Whether writing has failed because nobody reads any more, as in `weatherd export … | head`. */
export function isReaderGone(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED' || code === 'ERR_STREAM_PREMATURE_CLOSE';
}
