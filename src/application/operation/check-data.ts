import type { Caller } from '../../domain/accounts/audit-event.js';
import { DomainError } from '../../domain/domain-error.js';
import type { AuditTrail } from '../accounts/audit-trail.js';
import type { DataVerifier, Verification } from '../ports/data-verifier.js';

const refuse = async (): Promise<never> => {
  throw new DomainError(
    'REQUEST_INVALID',
    'Only a SQLite data file can be checked; a database server has means of its own.',
  );
};

/** Stands in where a store has no means to be verified. */
export const NO_VERIFIER: DataVerifier = { verify: refuse, discard: refuse };

/** Finds observations that cannot be read, and deletes them on demand. */
export class CheckData {
  readonly #verifier: DataVerifier;
  readonly #audit: AuditTrail;

  constructor(verifier: DataVerifier, audit: AuditTrail) {
    this.#verifier = verifier;
    this.#audit = audit;
  }

  /**
   * @param discard whether what cannot be read is deleted for good. The result tells what there was before.
   * @throws DomainError REQUEST_INVALID where the store has no means to be verified
   */
  async execute({ discard }: { readonly discard: boolean }, caller: Caller): Promise<Verification> {
    const found = await this.#verifier.verify();
    if (!discard || found.damage.length === 0) return found;
    const discarded = await this.#verifier.discard();
    const rows = discarded.reduce((sum, damage) => sum + damage.rows, 0);
    await this.#audit.record(caller, 'observations-discard', `${rows} rows`);
    return found;
  }
}
