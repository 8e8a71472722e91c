const BEGINNING = 'a thread of the data file did not';

/**
 * The reason for a call that got no answer in time. Nothing tells a busy machine from a disk that hangs, so both are named.
 *
 * @param what what the thread did not do
 */
export function slowText(what: 'answer' | 'start', limit: number): string {
  return `${BEGINNING} ${what} within ${limit} ms: the machine may be busy, or the disk does not answer`;
}

/**
 * Whether a message is one of `slowText`. The message is compared because an error keeps only its message between processes.
 */
export function isSlowText(message: string): boolean {
  return message.includes(BEGINNING);
}
