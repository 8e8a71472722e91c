import { FollowObservations } from '#application/observations/live/follow-observations.js';
import { ObservationFeed } from '#application/observations/live/observation-feed.js';
import { AlarmCache } from '#application/alarms/alarm-cache.js';
import { CommitQueue } from '#application/observations/ingest/commit-queue.js';
import { StreamSlots } from '#application/observations/live/stream-slots.js';
import { RainTotals } from '#application/observations/read/current/rain-totals.js';
import { ReadRecent } from '#application/observations/read/current/read-recent.js';
import { StationDirectory } from '#application/stations/station-directory.js';
import * as t from './tokens.js';
import { useCase, type Wiring } from './wiring.js';

/** The classes that send streams of events. */
export function liveWirings(): readonly Wiring[] {
  const recent = { recent: ReadRecent, rain: RainTotals, alarms: AlarmCache };
  const feed = [
    t.Clock,
    t.IdSource,
    t.Announcer,
    StationDirectory,
    t.ObservationStore,
    CommitQueue,
    recent,
  ] as const;
  return [
    useCase(ObservationFeed, feed, (openFeed) => openFeed.close()),
    useCase(StreamSlots, []),
    useCase(FollowObservations, [ObservationFeed, StreamSlots, StationDirectory, t.StationSearch]),
  ];
}
