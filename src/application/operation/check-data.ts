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

/** The verifier of a store that cannot verify its data. */
export const NO_VERIFIER: DataVerifier = { verify: refuse, discard: refuse };

/** Finds damaged observations, and deletes them on request. */
export class CheckData {
  readonly #verifier: DataVerifier;
  readonly #audit: AuditTrail;

  constructor(verifier: DataVerifier, audit: AuditTrail) {
    this.#verifier = verifier;
    this.#audit = audit;
  }

  /**
   * @param discard whether damaged observations are deleted permanently. The result describes the damage before that.
   * @throws DomainError REQUEST_INVALID where the store cannot verify its data
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
