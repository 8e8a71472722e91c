import { AuditTrail } from '#application/accounts/audit-trail.js';
import { RecordTogether } from '#application/observations/ingest/record-together.js';
import { RowCounts } from '#application/observations/row-counts.js';
import { NoteSensors } from '#application/sensors/note-sensors.js';
import { AskSource } from '#application/sources/ask-source.js';
import { ListGaps } from '#application/sources/list-gaps.js';
import { AddSource } from '#application/sources/manage/add-source.js';
import { DismissGaps } from '#application/sources/manage/dismiss-gaps.js';
import { FillSource } from '#application/sources/manage/fill-source.js';
import { FindSources } from '#application/sources/manage/find-sources.js';
import { ListSources } from '#application/sources/manage/list-sources.js';
import { PauseSource } from '#application/sources/manage/pause-source.js';
import { RemoveSource } from '#application/sources/manage/remove-source.js';
import { TestSource } from '#application/sources/manage/test-source.js';
import { SourceKinds } from '#application/sources/source-kinds.js';
import { SourceRecords } from '#application/sources/source-records.js';
import { StoreReports } from '#application/sources/store-reports.js';
import { StationDirectory } from '#application/stations/station-directory.js';
import { RecordReadings } from '#application/uploads/record-readings.js';
import { SourceStates } from '#application/uploads/source-states.js';
import * as t from './tokens.js';
import { useCase, type Wiring } from './wiring.js';

/** The classes that ask sources and manage them. */
export function sourceWirings(): readonly Wiring[] {
  return [
    useCase(SourceKinds, [t.SourceKindList]),
    useCase(SourceRecords, [t.RecordStore]),
    useCase(AskSource, [t.Clock, t.Calendar, t.SourceNetwork, SourceRecords]),
    useCase(StoreReports, [
      t.Clock,
      StationDirectory,
      RecordReadings,
      RecordTogether,
      RowCounts,
      t.ObservationStore,
    ]),
    useCase(AddSource, [
      {
        clock: t.Clock,
        directory: StationDirectory,
        records: SourceRecords,
        kinds: SourceKinds,
        ask: AskSource,
        sensors: NoteSensors,
        audit: AuditTrail,
      },
    ]),
    useCase(ListGaps, [SourceRecords]),
    useCase(ListSources, [StationDirectory, SourceRecords]),
    useCase(DismissGaps, [t.Clock, SourceRecords, AuditTrail]),
    useCase(PauseSource, [t.Clock, SourceRecords, AuditTrail]),
    useCase(RemoveSource, [t.Clock, SourceRecords, NoteSensors, AuditTrail]),
    useCase(TestSource, [t.Clock, StationDirectory, SourceRecords, SourceKinds, AskSource]),
    useCase(FindSources, [SourceKinds, t.SourceNetwork]),
    useCase(FillSource, [
      {
        calendar: t.Calendar,
        directory: StationDirectory,
        observations: t.ObservationStore,
        records: SourceRecords,
        kinds: SourceKinds,
        ask: AskSource,
        store: StoreReports,
        counters: SourceStates,
      },
    ]),
  ];
}
