import { randomUUID } from 'node:crypto';
import type { IdSource } from '#application/ports/id-source.js';

/** Random UUIDs from the generator of the operating system. */
export class UuidSource implements IdSource {
  next(): string {
    return randomUUID();
  }
}
