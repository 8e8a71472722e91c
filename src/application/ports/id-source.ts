/** Identifiers that nobody can guess and that never repeat. */
export interface IdSource {
  /** A random UUID (RFC 9562, version 4) in lower case. */
  next(): string;
}
