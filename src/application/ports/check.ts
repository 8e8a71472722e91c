/** Something whose failure makes the service unable to work, asked in the background. */
export interface Check {
  /** A word or two for the log: `credential store`. */
  readonly name: string;
  /**
   * Resolves when the thing works right now and rejects with the reason when it does not. It may take as long
   * as it likes: whoever asks decides when no answer is an answer. It has no side effect that a caller could
   * see, except that it may repair a broken connection.
   */
  check(): Promise<void>;
}
