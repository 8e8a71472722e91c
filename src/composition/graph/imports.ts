import { AuditTrail } from '#application/accounts/audit-trail.js';
import { BeginImport } from '#application/observations/imports/begin-import.js';
import { EndImport } from '#application/observations/imports/end-import.js';
import { RecheckProgress } from '#application/observations/recheck/recheck-progress.js';
import { ListImports } from '#application/observations/imports/list-imports.js';
import { SetLongerIntervals } from '#application/observations/imports/set-longer-intervals.js';
import { UndoImport } from '#application/observations/imports/undo-import.js';
import { StationDirectory } from '#application/stations/station-directory.js';
import { FileImportFolder } from '#adapters/imports/received/file-import-folder.js';
import { ImportJobs } from '#application/observations/imports/import-jobs.js';
import { ManageImports } from '#application/observations/imports/manage-imports.js';
import { PreviewRows } from '#application/observations/ingest/preview-rows.js';
import { RecordObservations } from '#application/observations/ingest/record-observations.js';
import { KeepSourceFlags } from '#application/observations/source-flags/keep-source-flags.js';
import { OverrideFailedValues } from '#application/observations/source-flags/override-failed-values.js';
import { ReadObservations } from '#application/observations/read/read-observations.js';
import { ReadSourceFlags } from '#application/observations/source-flags/read-source-flags.js';
import { SourceFlagRecords } from '#application/observations/source-flags/source-flag-records.js';
import type { FileImporter } from '#application/ports/file-importer.js';
import type { ImportService } from '#application/ports/import-service.js';
import { ChangeStations } from '#application/stations/change-stations.js';
import { ListStations } from '#application/stations/list-stations.js';
import { PutStations } from '#application/stations/put-stations.js';
import type { UseCaseClass, UseCaseOf } from '#application/use-cases.js';
import type { Config } from '../config.js';
import { importsFolder, storeName } from '../data/data-location.js';
import { foreignFiles } from './foreign-files.js';
import * as t from './tokens.js';
import { constant, useCase, wireFactory, wireValue, type Wiring } from './wiring.js';

/** A file may have this many times the bytes of `WEATHERD_IMPORT_LIMIT` after decompression. */
const UNPACKED = 4;
/** Largest number of members of a received archive. */
const MAX_MEMBERS = 1000;

/**
 * The classes that record imports and undo them, and that import files over HTTP.
 *
 * @param remote the imports of the main process; undefined in the main process
 */
export function importWirings(config: Config, remote: ImportService | undefined): readonly Wiring[] {
  const folder = new FileImportFolder(importsFolder(config));
  const limits = { bytes: UNPACKED * config.IMPORT_LIMIT, members: MAX_MEMBERS };
  return [
    useCase(BeginImport, [t.Clock, t.ImportLog]),
    useCase(EndImport, [t.Clock, t.ImportLog]),
    useCase(SetLongerIntervals, [t.Clock, t.Calendar, t.ObservationStore, ChangeStations]),
    useCase(ListImports, [t.ImportLog, StationDirectory, RecheckProgress]),
    useCase(SourceFlagRecords, [t.RecordStore]),
    useCase(OverrideFailedValues, [t.Clock, t.OverrideStore]),
    useCase(KeepSourceFlags, [
      {
        clock: t.Clock,
        log: t.ImportLog,
        directory: StationDirectory,
        records: SourceFlagRecords,
        overrides: OverrideFailedValues,
      },
    ]),
    useCase(ReadSourceFlags, [ReadObservations, SourceFlagRecords]),
    useCase(UndoImport, [
      {
        clock: t.Clock,
        log: t.ImportLog,
        observations: t.ObservationStore,
        directory: StationDirectory,
        stations: t.StationStore,
        announcer: t.Announcer,
        trail: AuditTrail,
        sourceFlags: KeepSourceFlags,
      },
    ]),
    wireValue(t.ImportFolder, folder),
    wireFactory(
      t.FileImporter,
      (calendar, importLog, formats, ...parts) =>
        new LazyImporter(async () => {
          const { ReceivedImporter } = await import('#adapters/imports/received/received-importer.js');
          const context = { useCase: oneOf(parts), calendar, importLog, formats, foreignFiles };
          return new ReceivedImporter(folder, context, limits);
        }),
      [
        t.Calendar,
        t.ImportLog,
        t.ImportFormatList,
        AuditTrail,
        BeginImport,
        EndImport,
        KeepSourceFlags,
        ListStations,
        PutStations,
        ChangeStations,
        PreviewRows,
        RecordObservations,
        SetLongerIntervals,
      ],
    ),
    useCase(ImportJobs, [
      {
        clock: t.Clock,
        ids: t.IdSource,
        folder: t.ImportFolder,
        importer: t.FileImporter,
        directory: StationDirectory,
        imports: ListImports,
        undo: UndoImport,
      },
      constant(storeName(config) !== 'sqlite'),
    ]),
    wireFactory(t.ImportService, (jobs) => remote ?? jobs, [ImportJobs]),
    useCase(ManageImports, [t.ImportService, t.ImportFolder]),
  ];
}

/** Loads the module that reads files when the first file arrives. Most runs need none. */
class LazyImporter implements FileImporter {
  readonly #load: () => Promise<FileImporter>;
  #loaded: Promise<FileImporter> | undefined;

  constructor(load: () => Promise<FileImporter>) {
    this.#load = load;
  }

  async plan(...parameters: Parameters<FileImporter['plan']>): ReturnType<FileImporter['plan']> {
    return (await (this.#loaded ??= this.#load())).plan(...parameters);
  }

  async write(...parameters: Parameters<FileImporter['write']>): ReturnType<FileImporter['write']> {
    await (await (this.#loaded ??= this.#load())).write(...parameters);
  }
}

/** Finds a use-case among objects by its class. */
function oneOf(parts: readonly object[]): UseCaseOf {
  return <T>(type: UseCaseClass<T>) => {
    const found = parts.find((part) => part instanceof type);
    if (found === undefined) throw new Error('An import needs a use-case that it does not get.');
    return found as T;
  };
}
