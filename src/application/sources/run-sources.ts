import { SourceFailure } from '#domain/sources/source-failure.js';
import { hostAndPort, listedGaps, type Source, type SourceState } from '#domain/sources/source.js';
import { MILLISECONDS } from '#domain/time.js';
import type { Station } from '#domain/weather/station.js';
import type { Clock } from '../ports/clock.js';
import type { Lease } from '../ports/lease.js';
import type { DatagramProtocol, SourceKind, SourceReport } from '../ports/source-kind.js';
import type { SourceNetwork } from '../ports/source-network.js';
import type { Telemetry } from '../ports/telemetry.js';
import type { StationDirectory } from '../stations/station-directory.js';
import type { NoteSensors } from '../sensors/note-sensors.js';
import type { SourceStates } from '../uploads/source-states.js';
import { workThrough } from '../work-through.js';
import type { AskSource } from './ask-source.js';
import { type ListedSource, RunningSource } from './running-source.js';
import type { SourceKinds } from './source-kinds.js';
import { counterName, type SourceRecords } from './source-records.js';
import type { StoreReports } from './store-reports.js';

/** Milliseconds between two rounds. A changed source takes effect in the next round. */
export const SOURCES_INTERVAL = 2 * MILLISECONDS.second;
/** Seconds between two requests to a source of a station whose reporting interval is unknown. */
const DEFAULT_INTERVAL = 60;
/** Milliseconds between two attempts to listen on a port that cannot be used. */
const LISTEN_INTERVAL = MILLISECONDS.minute;
/** An IPv4 or IPv6 address, in contrast to a host name. */
const IP_LITERAL = /^(?:\d+\.\d+\.\d+\.\d+|[0-9a-f]*:[0-9a-f:.]*)$/i;

export interface RunSourcesDependencies {
  readonly clock: Clock;
  readonly kinds: SourceKinds;
  readonly records: SourceRecords;
  readonly directory: StationDirectory;
  readonly ask: AskSource;
  readonly store: StoreReports;
  readonly sensors: NoteSensors;
  readonly counters: SourceStates;
  readonly network: SourceNetwork;
  readonly lease: Lease;
  readonly telemetry: Telemetry;
}

interface Running {
  readonly running: RunningSource;
  /** Ends the listening for datagrams; undefined while it does not listen. */
  end: (() => void) | undefined;
  /** `Clock.uptime` of the next attempt to listen. */
  listenAt: number;
  readonly text: string;
}

/** A source that gives no reports. */
export interface SilentSource {
  readonly name: string;
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly since: number;
  readonly reason: string;
}

/** Asks all sources while the service runs. If several instances use the same data, only one of them asks. */
export class RunSources {
  readonly #with: RunSourcesDependencies;
  readonly #running = new Map<string, Running>();
  readonly #stopping = new AbortController();
  readonly #count: (labels: Record<'source' | 'outcome', string>) => { add(amount: number): void };

  constructor(dependencies: RunSourcesDependencies) {
    this.#with = dependencies;
    const { telemetry } = dependencies;
    this.#count = telemetry.counter({
      name: 'weatherd_source_requests_total',
      help: 'Requests to sources and messages of sources.',
      labels: ['source', 'outcome'],
    });
    telemetry.gauge(
      {
        name: 'weatherd_source_silent',
        help: 'Whether a source gives no reports: 1 or 0.',
        labels: ['source'],
      },
      () =>
        [...this.#running].map(([source, { running }]) => ({
          labels: { source },
          value: running.state.failingSince === null ? 0 : 1,
        })),
    );
    telemetry.gauge(
      {
        name: 'weatherd_source_last_report_timestamp_seconds',
        help: 'Time of the newest report of a source.',
        labels: ['source'],
      },
      () =>
        [...this.#running].flatMap(([source, { running }]) => {
          const { reportedAt } = running.state;
          return reportedAt === null ? [] : [{ labels: { source }, value: reportedAt / MILLISECONDS.second }];
        }),
    );
  }

  /** Runs one round: starts and stops sources after changes, and begins the requests whose time has come. */
  async execute(): Promise<void> {
    const all = await this.#with.records.list();
    const active = all.filter(({ paused }) => !paused);
    for (const [name, { running }] of this.#running) {
      const { kind, station } = running.listed.source;
      const found = all.find((source) => source.name === name);
      if (found?.kind === kind && found.station === station) continue;
      await this.#stop(name, found?.kind === kind);
      await this.#with.sensors.forget(station, { source: name });
    }
    if (!(await this.#mayRun(active))) {
      await this.#stopAll();
      return;
    }
    const { byNumber } = await this.#with.directory.current();
    const wanted = new Map(
      active.flatMap((source) => {
        const station = byNumber.get(source.station);
        return station === undefined ? [] : [[source.name, { source, station }] as const];
      }),
    );
    for (const [name, { text, running }] of this.#running) {
      const found = wanted.get(name);
      if (found === undefined || textOf(found) !== text) await this.#stop(name, true);
      else running.dismiss(found.source);
    }
    try {
      await workThrough(wanted.values(), (found) => this.#start(found));
    } finally {
      // A source that cannot be started must not stop the others.
      await workThrough(this.#running.values(), async (one) => {
        await this.#listenTo(one);
        one.running.wake(this.#stopping.signal);
        await one.running.save();
      });
    }
  }

  /** The sources of this instance that give no reports. */
  get silent(): readonly SilentSource[] {
    return [...this.#running].flatMap(([name, { running }]) => {
      const { failingSince, reason } = running.state;
      return failingSince === null ? [] : [{ name, since: failingSince, reason: reason ?? '' }];
    });
  }

  /** Waits for the end of the running requests. */
  async idle(): Promise<void> {
    await Promise.all([...this.#running.values()].map(({ running }) => running.idle()));
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    try {
      await this.#stopAll();
    } finally {
      await this.#with.lease.release();
    }
  }

  async #mayRun(active: readonly Source[]): Promise<boolean> {
    const { lease } = this.#with;
    try {
      return active.length > 0 && (await lease.acquire());
    } catch (error) {
      if (!lease.isHeld) await this.#stopAll();
      throw error;
    }
  }

  async #start(found: { readonly source: Source; readonly station: Station }): Promise<void> {
    const { source, station } = found;
    if (this.#running.has(source.name)) return;
    const { kinds, records, clock, ask, store, sensors, lease } = this.#with;
    const kind = kinds.list.find(({ name }) => name === source.kind);
    // A package with this kind may have been removed. `source list` shows that the kind is unknown.
    if (kind === undefined) return;
    const listed = {
      source,
      kind,
      station,
      secrets: await records.secrets(source.name),
      interval: intervalOf(source, kind, station),
    };
    const running = new RunningSource(listed, await this.#stateOf(listed), {
      clock,
      ask,
      store,
      records,
      sensors,
      isHolder: () => lease.isHeld,
      count: (name, outcome) => this.#count({ source: name, outcome }).add(1),
    });
    this.#running.set(source.name, { running, end: undefined, listenAt: -Infinity, text: textOf(found) });
  }

  /** The stored state. The counters of the source may be newer, because they are stored with each row. */
  async #stateOf({ source }: ListedSource): Promise<SourceState> {
    const stored = await this.#with.records.state(source.name);
    const state = { ...stored, gaps: listedGaps(source, stored) };
    const { state: counters } = await this.#with.counters.of(counterName(source));
    if (counters === undefined) return state;
    return { ...state, reportedAt: Math.max(state.reportedAt ?? -Infinity, counters.time) };
  }

  /** Begins to listen for the datagrams of a source, unless it listens already or has failed a short time ago. */
  async #listenTo(one: Running): Promise<void> {
    const { running } = one;
    const { kind, source } = running.listed;
    const { datagrams } = kind;
    const { network, clock } = this.#with;
    if (datagrams === undefined || one.end !== undefined || clock.uptime() < one.listenAt) return;
    // A device that is asked has the address of the setting. A device that is not asked may have any; the setting is then the
    // address to listen on.
    const { address } = source.settings;
    const isAsked = kind.isPolled !== false && kind.ask !== undefined;
    const sender = isAsked && address !== undefined ? hostAndPort(address, 0).host : undefined;
    const received = (datagram: Uint8Array, from: string) => {
      if (sender !== undefined && IP_LITERAL.test(sender) && from !== sender) return;
      for (const report of decoded(datagrams, datagram, source, clock.now()))
        // A report that cannot be stored is lost; the next one shows whether the store works again.
        running.receive(report).catch(() => undefined);
    };
    try {
      one.end = await network.listen(datagrams.port, isAsked ? undefined : address, received);
    } catch (error) {
      if (!(error instanceof SourceFailure)) throw error;
      one.listenAt = clock.uptime() + LISTEN_INTERVAL;
      running.fail(error.message);
    }
  }

  /** @param isKept whether the state is stored; false for a source that was removed, or has another kind now */
  async #stop(name: string, isKept: boolean): Promise<void> {
    const found = this.#running.get(name);
    if (found === undefined) return;
    this.#running.delete(name);
    found.end?.();
    if (isKept) await found.running.close();
    else await found.running.idle();
  }

  async #stopAll(): Promise<void> {
    await workThrough([...this.#running.keys()], (name) => this.#stop(name, true));
  }
}

/** Milliseconds between two requests: the setting, otherwise the reporting interval, and at least what the kind allows. */
export function intervalOf({ every }: Pick<Source, 'every'>, kind: SourceKind, station: Station): number {
  const seconds = every ?? station.reportingInterval ?? DEFAULT_INTERVAL;
  return Math.max(seconds, kind.shortestInterval) * MILLISECONDS.second;
}

/** What a running source depends on. If it changes, the source is started again. */
function textOf({
  source: { dismissedUntil: _dismissedUntil, ...source },
  station,
}: {
  readonly source: Source;
  readonly station: Station;
}): string {
  const { id, timeZone, reportingInterval, elevation } = station;
  return JSON.stringify([source, id, timeZone, reportingInterval, elevation]);
}

/** Reads a datagram. Anybody can send one, so whatever cannot be read says nothing. */
function decoded(
  protocol: DatagramProtocol,
  datagram: Uint8Array,
  source: Source,
  receivedAt: number,
): readonly SourceReport[] {
  try {
    return protocol.decode(datagram, source.settings, receivedAt);
  } catch {
    return [];
  }
}
