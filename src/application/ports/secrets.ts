/** Random secrets and their digests. */
export interface Secrets {
  /** Returns `bytes` bytes of a cryptographic random source. */
  random(bytes: number): Uint8Array;
  /**
   * SHA-256 of the UTF-8 bytes of a text, as 64 hexadecimal digits. The text must be an identifier or a secret of at least 128
   * random bits, because a shorter secret could be found from its digest.
   */
  digest(text: string): string;
  /** Compares two digests in a time that does not depend on where they differ. */
  areEqual(a: string, b: string): boolean;
}
