/** Something that the service needs in order to work, asked in the background. */
export interface Check {
  /** A word or two for the log and for `GET /v1/health/checks`: `credential store`. */
  readonly name: string;
  /**
   * Resolves to undefined when the thing works right now, to a short sentence about the defect when it works with one,
   * and rejects when it does not work. The sentence and the message of a rejecting DomainError are shown to callers of
   * the API, so they hold no secret and no path. The check may take as long as it likes: the caller decides how long it
   * waits. It has no side effect that a caller could see, except that it may repair a broken connection.
   */
  check(): Promise<string | undefined>;
}
