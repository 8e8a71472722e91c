import type { Log } from '#adapters/log-pino/logger.js';
import { NoteSensors } from '#application/sensors/note-sensors.js';
import { AskSource } from '#application/sources/ask-source.js';
import { RunSources, SOURCES_INTERVAL } from '#application/sources/run-sources.js';
import { SourceKinds } from '#application/sources/source-kinds.js';
import { SourceRecords } from '#application/sources/source-records.js';
import { StoreReports } from '#application/sources/store-reports.js';
import { StationDirectory } from '#application/stations/station-directory.js';
import { SourceStates } from '#application/uploads/source-states.js';
import * as t from '../graph/tokens.js';
import { useCase, wireFactory, type Wiring } from '../graph/wiring.js';
import { reasonOf } from '../reason.js';
import { periodic, type Runnable } from '../runnables.js';

/** Milliseconds after which the health check reports a round that does not end. */
const LATE = 30_000;

/** Asks sources while the service runs. If several instances use the same data, only one of them asks. */
export function sourceAsker(): readonly Wiring[] {
  return [
    wireFactory(t.SourceLease, (leases) => leases('source-asker'), [t.Leases]),
    useCase(RunSources, [
      {
        clock: t.Clock,
        kinds: SourceKinds,
        records: SourceRecords,
        directory: StationDirectory,
        ask: AskSource,
        store: StoreReports,
        sensors: NoteSensors,
        counters: SourceStates,
        network: t.SourceNetwork,
        lease: t.SourceLease,
        telemetry: t.Telemetry,
      },
    ]),
    wireFactory(t.Runnable, asker, [RunSources, t.Log]),
  ];
}

function asker(sources: RunSources, { logger }: Log): Runnable {
  const rounds = periodic({
    name: 'sources',
    work: () => sources.execute(),
    onFailure: (error) => logger.error({ reason: reasonOf(error) }, 'sources could not be asked'),
    defect: () => describeSilent(sources),
    interval: SOURCES_INTERVAL,
    late: LATE,
    atOnce: true,
  });
  return {
    ...rounds,
    stop: async (deadline) => {
      await rounds.stop(deadline);
      try {
        await sources.close();
      } catch (error) {
        logger.error({ reason: reasonOf(error) }, 'the states of the sources could not be stored');
      }
      return undefined;
    },
  };
}

/** A sentence about the sources that give no reports; undefined if there are none. */
export function describeSilent({ silent }: Pick<RunSources, 'silent'>): string | undefined {
  const [first, ...others] = silent;
  if (first === undefined) return undefined;
  const more =
    others.length === 0
      ? ''
      : ` ${others.length} more ${others.length === 1 ? 'source is' : 'sources are'} silent: ${others
          .map(({ name }) => name)
          .slice(0, 5)
          .join(', ')}.`;
  return `The source ${first.name} has given no report since ${new Date(first.since).toISOString()}: ${first.reason}${more}`;
}
