import { AuditTrail } from '#application/accounts/audit-trail.js';
import { BeginImport } from '#application/observations/imports/begin-import.js';
import { EndImport } from '#application/observations/imports/end-import.js';
import { ListImports } from '#application/observations/imports/list-imports.js';
import { UndoImport } from '#application/observations/imports/undo-import.js';
import { StationDirectory } from '#application/stations/station-directory.js';
import * as t from './tokens.js';
import { useCase, type Wiring } from './wiring.js';

/** The classes that record imports and undo them. */
export function importWirings(): readonly Wiring[] {
  return [
    useCase(BeginImport, [t.Clock, t.ImportLog]),
    useCase(EndImport, [t.Clock, t.ImportLog]),
    useCase(ListImports, [t.ImportLog, StationDirectory]),
    useCase(UndoImport, [
      {
        clock: t.Clock,
        log: t.ImportLog,
        observations: t.ObservationStore,
        directory: StationDirectory,
        stations: t.StationStore,
        announcer: t.Announcer,
        trail: AuditTrail,
      },
    ]),
  ];
}
