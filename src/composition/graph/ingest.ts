import { AuditTrail } from '#application/accounts/audit-trail.js';
import { CommitQueue } from '#application/observations/ingest/commit-queue.js';
import { RecordBatches } from '#application/observations/ingest/record-batches.js';
import { PreviewRows } from '#application/observations/ingest/preview-rows.js';
import { RecordObservations } from '#application/observations/ingest/record-observations.js';
import { RecordTogether } from '#application/observations/ingest/record-together.js';
import { RowBudget } from '#application/observations/ingest/row-budget.js';
import { RowCounts } from '#application/observations/row-counts.js';
import { WriteTally } from '#application/observations/ingest/write-tally.js';
import { StationDirectory } from '#application/stations/station-directory.js';
import * as t from './tokens.js';
import { useCase, type Wiring } from './wiring.js';

/** The classes that check received rows and write them to the store. */
export function ingestWirings(): readonly Wiring[] {
  return [
    useCase(WriteTally, [t.Clock, t.AuditStore, StationDirectory], (tally) => tally.flush()),
    useCase(RowBudget, []),
    useCase(CommitQueue, [t.ObservationStore, t.Announcer, RowBudget, t.Telemetry]),
    useCase(PreviewRows, [t.Clock, StationDirectory]),
    useCase(RowCounts, [t.Telemetry]),
    useCase(RecordObservations, [t.Clock, StationDirectory, CommitQueue, AuditTrail, RowCounts]),
    useCase(RecordTogether, [CommitQueue]),
    useCase(RecordBatches, [t.Clock, StationDirectory, CommitQueue, WriteTally, RowCounts]),
  ];
}
