/** Creates identifiers that are unique and cannot be guessed. */
export interface IdSource {
  /** A random UUID (RFC 9562, version 4) in lower case. */
  next(): string;
}
