import { LocalAnnouncer } from '#adapters/announcer-local/local-announcer.js';
import { KdbushStationSearch } from '#adapters/search-kdbush/kdbush-station-search.js';
import { JudgeObservations } from '#application/observations/judging/judge-observations.js';
import { JudgeStation } from '#application/observations/judging/judge-station.js';
import { Neighbours } from '#application/observations/judging/neighbours.js';
import type { Stores } from '#application/ports/stores.js';
import { StationDirectory } from '#application/stations/station-directory.js';

/** The use-case that judges what is stored in these stores. */
export function judgeOf({ stations, observations, judging, overrules }: Stores): JudgeObservations {
  const announcer = new LocalAnnouncer();
  const directory = new StationDirectory(stations, announcer);
  const neighbours = new Neighbours(new KdbushStationSearch(directory));
  const judgeStation = new JudgeStation({ observations, judging, overrules, announcer });
  return new JudgeObservations({ directory, observations, judging, judgeStation, neighbours });
}

/** Judges until nothing is left, without pauses. */
export async function catchUp(judge: JudgeObservations): Promise<void> {
  for (let round = 0; !(await judge.execute(undefined, 0)); round += 1)
    if (round === 100) throw new Error('judging does not come to an end');
}
