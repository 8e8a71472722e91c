/**
 * The life of a signing key. A new key is first published, and later it signs. When another key replaces the key, it only
 * verifies, until the last token that it signed expires.
 */
export interface KeyLife {
  /** RFC 7638 thumbprint of the public key. */
  readonly id: string;
  /** All times in milliseconds since 1970-01-01T00:00:00Z. */
  readonly createdAt: number;
  /**
   * Time from which the key signs. Before this time the key is only published, so that verifiers know it before its
   * first signature.
   */
  readonly signsFrom: number;
  /**
   * Time until which the key verifies: the expiry of the last token that it signed. Null as long as no other key has replaced
   * this key.
   */
  readonly verifiesUntil: number | null;
  /** Time at which the key and all its tokens were withdrawn, or null. */
  readonly retiredAt: number | null;
}

/** Whether tokens of this key are valid at `now`. */
export function isVerifying({ verifiesUntil, retiredAt }: KeyLife, now: number): boolean {
  return retiredAt === null && (verifiesUntil === null || now < verifiesUntil);
}

/**
 * The key that signs at `now`. It is the key with the latest `signsFrom` that is not in the future, so all instances with the
 * same keys choose the same key. If every `signsFrom` is in the future, for example because the clock is behind, the key with the
 * earliest `signsFrom` signs.
 */
export function signerAt<K extends KeyLife>(keys: readonly K[], now: number): K | undefined {
  const valid = keys.filter((key) => isVerifying(key, now)).sort(compareStarts);
  return valid.findLast(({ signsFrom }) => signsFrom <= now) ?? valid[0];
}

function compareStarts(a: KeyLife, b: KeyLife): number {
  return a.signsFrom - b.signsFrom || (a.id < b.id ? -1 : 1);
}
