/** The device or the service gave no report, for a reason that a person can read: one sentence, without secrets. */
export class SourceFailure extends Error {
  override readonly name = 'SourceFailure';
  /** Seconds until the next attempt, if the service has named them. */
  readonly retryAfter: number | undefined;
  /** Whether further attempts fail too until a person changes something, for example a wrong token. */
  readonly needsOwner: boolean;

  constructor(
    message: string,
    { retryAfter, needsOwner = false }: { retryAfter?: number | undefined; needsOwner?: boolean } = {},
  ) {
    super(message);
    this.retryAfter = retryAfter;
    this.needsOwner = needsOwner;
  }
}
