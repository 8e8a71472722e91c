/** A service did not accept the weather or the message, for a reason that a person can read: one sentence, without secrets. */
export class TargetFailure extends Error {
  /**
   * Recognizes a failure by its name, because a package may have a copy of this class: of another version of weatherd, or of another build.
   */
  static override [Symbol.hasInstance](value: unknown): value is TargetFailure {
    return value instanceof Error && value.name === 'TargetFailure';
  }

  override readonly name = 'TargetFailure';
  /** What the service has answered. It is shown behind the sentence, without secrets and shortened. */
  readonly reply: string | undefined;
  /** Seconds until the next attempt, if the service has named them. */
  readonly retryAfter: number | undefined;
  /** Whether every further attempt with the same weather or message would fail too. It is then skipped. */
  readonly permanent: boolean;

  constructor(
    message: string,
    {
      reply,
      retryAfter,
      permanent = false,
    }: {
      readonly reply?: string | undefined;
      readonly retryAfter?: number | undefined;
      readonly permanent?: boolean;
    } = {},
  ) {
    super(message);
    this.reply = reply;
    this.retryAfter = retryAfter;
    this.permanent = permanent;
  }
}
