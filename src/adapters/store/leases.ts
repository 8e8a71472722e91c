import type { LeaseStore } from '#application/ports/lease.js';
import { type OperationsOf, transaction } from './store-operations.js';
import { putRecords, recordNamed } from './records.js';

/**
 * Operations on leases. A lease is stored as a record. The text of the record is the name of the holder. The time of the record
 * is the time at which the lease was acquired, or 0 after a release.
 */
export const LEASES: OperationsOf<LeaseStore> = {
  acquire: transaction(function* (name, holder, now, duration) {
    const known = yield* recordNamed(name);
    if (known !== undefined && known.text !== holder && now < known.time + duration) return false;
    const revision = known?.revision ?? 0;
    const left = yield* putRecords([{ name, key: null, revision, text: holder, time: now }]);
    return left.length === 0;
  }),

  release: transaction(function* (name, holder) {
    const known = yield* recordNamed(name);
    if (known?.text === holder) yield* putRecords([{ ...known, time: 0 }]);
  }),
};
