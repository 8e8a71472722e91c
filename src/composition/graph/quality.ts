import { AuditTrail } from '#application/accounts/audit-trail.js';
import { DueSearches } from '#application/observations/notices/due-searches.js';
import { ListNotices } from '#application/observations/notices/list-notices.js';
import { NoticeRecords } from '#application/observations/notices/notice-records.js';
import { ReadQualityState } from '#application/observations/notices/read-quality-state.js';
import { RenewNotices } from '#application/observations/notices/renew-notices.js';
import { SearchNotices } from '#application/observations/notices/search-notices.js';
import { RecheckObservations } from '#application/observations/recheck/recheck-observations.js';
import { RecheckProgress } from '#application/observations/recheck/recheck-progress.js';
import { CheckStation } from '#application/observations/recheck/check-station.js';
import { Neighbors } from '#application/observations/recheck/neighbors.js';
import { AddOverride } from '#application/observations/overrides/add-override.js';
import { FindLevelShifts } from '#application/observations/overrides/find-level-shifts.js';
import { RecheckOverridden } from '#application/observations/overrides/recheck-overridden.js';
import { ListOverrides } from '#application/observations/overrides/list-overrides.js';
import { RemoveOverride } from '#application/observations/overrides/remove-override.js';
import { ReadObservations } from '#application/observations/read/read-observations.js';
import { StationDirectory } from '#application/stations/station-directory.js';
import * as t from './tokens.js';
import { useCase, type Wiring } from './wiring.js';

/** The classes that recheck the quality of stored observations and manage quality overrides. */
export function qualityWirings(): readonly Wiring[] {
  return [
    useCase(Neighbors, [t.StationSearch]),
    useCase(CheckStation, [
      {
        observations: t.ObservationStore,
        recheck: t.RecheckStore,
        overrides: t.OverrideStore,
        checker: t.PartChecker,
        announcer: t.Announcer,
      },
    ]),
    useCase(RecheckProgress, [t.RecheckStore, t.ObservationStore]),
    useCase(NoticeRecords, [t.RecordStore]),
    useCase(DueSearches, [NoticeRecords, t.Clock]),
    useCase(RecheckObservations, [
      {
        directory: StationDirectory,
        observations: t.ObservationStore,
        recheck: t.RecheckStore,
        checkStation: CheckStation,
        neighbors: Neighbors,
        progress: RecheckProgress,
        searches: DueSearches,
      },
    ]),
    useCase(SearchNotices, [
      {
        directory: StationDirectory,
        observations: t.ObservationStore,
        neighbors: Neighbors,
        finder: t.NoticeFinder,
      },
    ]),
    useCase(RenewNotices, [
      {
        clock: t.Clock,
        records: NoticeRecords,
        due: DueSearches,
        search: SearchNotices,
        recheck: t.RecheckStore,
      },
    ]),
    useCase(ReadQualityState, [NoticeRecords, RecheckProgress]),
    useCase(ListNotices, [NoticeRecords, StationDirectory, t.Calendar]),
    useCase(RecheckOverridden, [StationDirectory, t.ObservationStore, Neighbors, CheckStation, DueSearches]),
    useCase(AddOverride, [
      {
        clock: t.Clock,
        ids: t.IdSource,
        calendar: t.Calendar,
        observations: t.ObservationStore,
        overrides: t.OverrideStore,
        trail: AuditTrail,
        recheck: RecheckOverridden,
      },
    ]),
    useCase(FindLevelShifts, [ReadObservations]),
    useCase(ListOverrides, [t.StationStore, t.OverrideStore]),
    useCase(RemoveOverride, [
      {
        observations: t.ObservationStore,
        overrides: t.OverrideStore,
        trail: AuditTrail,
        recheck: RecheckOverridden,
      },
    ]),
  ];
}
