import { randomUUID } from 'node:crypto';
import type { IdSource } from '../../application/ports/id-source.js';

/** Random UUIDs from the system's generator. */
export class UuidSource implements IdSource {
  next(): string {
    return randomUUID();
  }
}
