/** Random secrets and their digests. */
export interface Secrets {
  /** Returns `bytes` bytes of a cryptographic random source. */
  random(bytes: number): Uint8Array;
  /**
   * SHA-256 of the text in UTF-8, as 64 hexadecimal digits. Must be used only for secrets of at least 128 random bits, and for
   * identifiers.
   */
  digest(text: string): string;
  /** Compares two digests in a time that does not depend on where they differ. */
  areEqual(a: string, b: string): boolean;
}
