import { AuditTrail } from '#application/accounts/audit-trail.js';
import { RecordTogether } from '#application/observations/ingest/record-together.js';
import { RowCounts } from '#application/observations/row-counts.js';
import { NoteSensors } from '#application/sensors/note-sensors.js';
import { StationDirectory } from '#application/stations/station-directory.js';
import { AddUploadKey } from '#application/uploads/keys/add-upload-key.js';
import { AuthorizeUploadKey } from '#application/uploads/keys/authorize-upload-key.js';
import { IdentifySender } from '#application/uploads/keys/identify-sender.js';
import { KeySecrets } from '#application/uploads/keys/key-secrets.js';
import { KeyTraffic } from '#application/uploads/keys/key-traffic.js';
import { ListUploadKeys } from '#application/uploads/keys/list-upload-keys.js';
import { MapUploadFields } from '#application/uploads/keys/map-upload-fields.js';
import { RevokeUploadKey } from '#application/uploads/keys/revoke-upload-key.js';
import { RotateUploadKey } from '#application/uploads/keys/rotate-upload-key.js';
import { UploadKeyCache } from '#application/uploads/keys/upload-key-cache.js';
import { NewestTimes } from '#application/uploads/newest-times.js';
import { ApprovePendingUpload } from '#application/uploads/pending/approve-pending-upload.js';
import { ListPendingUploads } from '#application/uploads/pending/list-pending-uploads.js';
import { PendingSenders } from '#application/uploads/pending/pending-senders.js';
import { ReceiveUpload } from '#application/uploads/receive-upload.js';
import { RecordReadings } from '#application/uploads/record-readings.js';
import { SourceStates } from '#application/uploads/source-states.js';
import { ListUploadStatus } from '#application/uploads/status/list-upload-status.js';
import { UploadStatuses } from '#application/uploads/status/upload-statuses.js';
import type { Config } from '../config.js';
import * as t from './tokens.js';
import { constant, useCase, type Wiring } from './wiring.js';

/** The classes that receive uploads and manage their keys. */
export function uploadWirings({ READ_ACCESS: readAccess }: Config): readonly Wiring[] {
  return [
    useCase(KeySecrets, [t.Secrets]),
    useCase(UploadKeyCache, [t.Clock, t.UploadKeyStore, KeySecrets]),
    useCase(AddUploadKey, [t.Clock, t.StationStore, UploadKeyCache, KeySecrets, AuditTrail]),
    useCase(ListUploadKeys, [StationDirectory, UploadKeyCache]),
    useCase(RevokeUploadKey, [StationDirectory, UploadKeyCache, AuditTrail]),
    useCase(RotateUploadKey, [t.Clock, StationDirectory, UploadKeyCache, KeySecrets, AuditTrail]),
    useCase(MapUploadFields, [StationDirectory, UploadKeyCache, AuditTrail]),
    useCase(UploadStatuses, [t.Clock, t.RecordStore], (statuses) => statuses.flush(true)),
    useCase(AuthorizeUploadKey, [t.Clock, StationDirectory, UploadKeyCache, KeySecrets, UploadStatuses]),
    useCase(ListUploadStatus, [StationDirectory, UploadKeyCache, UploadStatuses]),
    useCase(PendingSenders, [t.Clock, t.RecordStore, UploadKeyCache], (pending) => pending.flush(true)),
    useCase(ListPendingUploads, [StationDirectory, PendingSenders]),
    useCase(ApprovePendingUpload, [t.Clock, t.StationStore, UploadKeyCache, PendingSenders, AuditTrail]),
    useCase(SourceStates, [t.RecordStore]),
    useCase(NewestTimes, [t.Clock, t.ObservationStore]),
    useCase(RecordReadings, [
      {
        clock: t.Clock,
        calendar: t.Calendar,
        directory: StationDirectory,
        store: t.RecordStore,
        states: SourceStates,
        newest: NewestTimes,
        together: RecordTogether,
        counts: RowCounts,
      },
    ]),
    useCase(KeyTraffic, []),
    useCase(IdentifySender, [StationDirectory, UploadKeyCache, KeySecrets, constant(readAccess)]),
    useCase(ReceiveUpload, [
      {
        identify: IdentifySender,
        keys: UploadKeyCache,
        secrets: KeySecrets,
        traffic: KeyTraffic,
        pending: PendingSenders,
        statuses: UploadStatuses,
        sensors: NoteSensors,
        record: RecordReadings,
        telemetry: t.Telemetry,
      },
    ]),
  ];
}
