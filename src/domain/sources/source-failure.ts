/** The device or the service gave no report, for a reason that a person can read: one sentence, without secrets. */
export class SourceFailure extends Error {
  /**
   * Recognizes a failure by its name, because a package may have a copy of this class: of another version of weatherd, or of another build.
   */
  static override [Symbol.hasInstance](value: unknown): value is SourceFailure {
    return value instanceof Error && value.name === 'SourceFailure';
  }

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
