/** A background check of something that the service needs. */
export interface Check {
  /** A short name for the log and for `GET /v1/health/checks`: `credential store`. */
  readonly name: string;
  /**
   * Carries out the check. It may take any time; the caller limits its own wait. It has no visible side effect, except that it
   * may repair a broken connection.
   *
   * - If everything works, it resolves to undefined.
   * - If something works only in part, it resolves to a short sentence about the defect.
   * - If something does not work at all, it rejects.
   *
   * Callers of the API see the sentence about the defect and the message of a DomainError, so neither may contain a secret or a
   * path.
   */
  check(): Promise<string | undefined>;
  /** Returns a short sentence about long work of this part, which is no defect; undefined if there is none. */
  progress?(): string | undefined;
}
