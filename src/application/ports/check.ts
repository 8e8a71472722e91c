/** A background check of something that the service needs. */
export interface Check {
  /** A short name for the log and for `GET /v1/health/checks`: `credential store`. */
  readonly name: string;
  /**
   * Resolves to undefined if everything works. If something works only in part, resolves to a short sentence about the defect.
   * Rejects if it does not work at all. Callers of the API see this sentence and the message of a DomainError, so neither may
   * contain a secret or a path.
   *
   * The check may take any time; the caller limits its own wait. The check has no visible side effect, except that it may repair
   * a broken connection.
   */
  check(): Promise<string | undefined>;
}
