import { LocalAnnouncer } from '#adapters/announcer-local/local-announcer.js';
import { KdbushStationSearch } from '#adapters/search-kdbush/kdbush-station-search.js';
import { RecheckObservations } from '#application/observations/recheck/recheck-observations.js';
import { CheckStation } from '#application/observations/recheck/check-station.js';
import { RecheckProgress } from '#application/observations/recheck/recheck-progress.js';
import { Neighbors } from '#application/observations/recheck/neighbors.js';
import type { NoticeFinder } from '#application/ports/notice-finder.js';
import type { PartChecker } from '#application/ports/part-checker.js';
import type { Stores } from '#application/ports/stores.js';
import { StationDirectory } from '#application/stations/station-directory.js';
import { checkPart } from '#domain/weather/quality/check-part.js';
import { findNotices } from '#domain/weather/quality/notices/find-notices.js';

/** Checks parts and finds notices in the calling thread. */
export const DIRECT_CHECKER: PartChecker & NoticeFinder = {
  check: async (part) => checkPart(part),
  findNotices: async (search) => findNotices(search),
};

/** The use-case that checks the quality of stored observations again. */
export function recheckOf({ stations, observations, recheck, overrides }: Stores): RecheckObservations {
  const announcer = new LocalAnnouncer();
  const directory = new StationDirectory(stations, announcer);
  const neighbors = new Neighbors(new KdbushStationSearch(directory));
  const checkStation = new CheckStation({
    observations,
    recheck,
    overrides,
    checker: DIRECT_CHECKER,
    announcer,
  });
  const progress = new RecheckProgress(recheck, observations);
  const searches = { note: () => undefined, flush: async () => undefined };
  return new RecheckObservations({
    directory,
    observations,
    recheck,
    checkStation,
    neighbors,
    progress,
    searches,
  });
}

/**
 * Runs the recheck, which checks the quality of stored observations again, until it is complete.
 *
 * @throws Error after 100 rounds
 */
export async function catchUp(recheck: RecheckObservations): Promise<void> {
  for (let round = 0; !(await recheck.execute()); round += 1)
    if (round === 100) throw new Error('The recheck is not complete after 100 rounds.');
}
