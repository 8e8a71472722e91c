import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Secrets } from '#application/ports/secrets.js';

/** Random bytes from the generator of the operating system, and SHA-256. */
export class SystemSecrets implements Secrets {
  random(bytes: number): Uint8Array {
    return randomBytes(bytes);
  }

  digest(text: string): string {
    return createHash('sha256').update(text).digest('hex');
  }

  areEqual(a: string, b: string): boolean {
    return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
  }
}
