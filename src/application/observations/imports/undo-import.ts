import type { Caller } from '#domain/accounts/audit-event.js';
import { DomainError } from '#domain/domain-error.js';
import type { AuditTrail } from '../../accounts/audit-trail.js';
import type { Announcer } from '../../ports/announcer.js';
import type { Clock } from '../../ports/clock.js';
import type { ImportLog, ImportUndo } from '../../ports/import-log.js';
import type { ObservationStore } from '../../ports/observation-store.js';
import type { StationStore } from '../../ports/station-store.js';
import type { StationDirectory } from '../../stations/station-directory.js';
import type { KeepSourceFlags } from '../source-flags/keep-source-flags.js';
import { UNDOABLE_DAYS } from './import-retention.js';

export interface UndoImportDependencies {
  readonly clock: Clock;
  readonly log: ImportLog;
  readonly observations: ObservationStore;
  readonly directory: StationDirectory;
  readonly stations: StationStore;
  readonly announcer: Announcer;
  readonly trail: AuditTrail;
  readonly sourceFlags: KeepSourceFlags;
}

export interface UndoneImport extends ImportUndo {
  /** Whether the undo had already ended before this call. If so, the call changed nothing. */
  readonly wasDone: boolean;
}

/**
 * Undoes an import, with its flags of the source and its overrides. Values that were overwritten after the import stay.
 */
export class UndoImport {
  readonly #with: UndoImportDependencies;

  constructor(dependencies: UndoImportDependencies) {
    this.#with = dependencies;
  }

  /**
   * Undoes an import, or continues an undo that was interrupted.
   *
   * @param signal stops the undo between two of its transactions
   * @throws DomainError IMPORT_UNKNOWN; REQUEST_INVALID if the recorded changes of the import were deleted;
   *   STATION_REMOVED if a station of the import is removed but can still be restored; the reason of `signal`
   */
  async execute(number: number, caller: Caller, signal?: AbortSignal): Promise<UndoneImport> {
    const { clock, log, observations, directory, stations, announcer, trail, sourceFlags } = this.#with;
    const record = await log.find(number);
    if (record === undefined) throw new DomainError('IMPORT_UNKNOWN', `There is no import ${number}.`);
    if (record.undo !== null && record.undo.endedAt !== null) return { ...record.undo, wasDone: true };
    if (record.isForgotten) {
      const reason = `imports can be undone for ${UNDOABLE_DAYS} days, and large old imports for a shorter time`;
      throw new DomainError('REQUEST_INVALID', `Import ${number} can no longer be undone: ${reason}.`);
    }
    if (record.undo === null) {
      // A new undo is refused while a station of the import is removed. The undo would leave the rows of the removed station as
      // they are, and it could not be repeated after the station is restored.
      const removed = (await stations.hidden()).find(({ station }) =>
        record.stations.includes(station.number),
      );
      if (removed !== undefined) {
        const { id } = removed.station;
        throw new DomainError(
          'STATION_REMOVED',
          `Import ${number} has rows of the removed station "${id}". Restore the station first.`,
        );
      }
      // The event is written before anything changes, so that the audit trail also has an undo that is interrupted.
      const { byNumber } = await directory.current();
      const ids = record.stations.flatMap((station) => byNumber.get(station)?.id ?? []);
      await trail.recordUndo(caller, number, ids);
    }
    await log.beginUndo(number, clock.now());
    for (let isDone = false; !isDone;) {
      signal?.throwIfAborted();
      const step = await observations.undo(number);
      if (step.changes.stations.length > 0)
        announcer.announce({ kind: 'observations', changes: step.changes });
      ({ isDone } = step);
    }
    // After the values, because the import may still be writing the flags of its last rows when the undo begins.
    await sourceFlags.remove(number, (await log.find(number))?.stations ?? []);
    await log.endUndo(number, clock.now());
    const undo = (await log.find(number))?.undo;
    if (undo === null || undefined === undo)
      throw new Error(`The record of import ${number} was deleted during the undo.`);
    return { ...undo, wasDone: false };
  }
}
