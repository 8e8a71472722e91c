import type { AlarmOfStation } from '#domain/alarms/alarm.js';
import { DomainError, isDomainError } from '#domain/domain-error.js';
import type { Newest } from '#domain/weather/station-state.js';
import type { Station } from '#domain/weather/station.js';
import type { Announcement, Announcer } from '../../ports/announcer.js';
import { pause, pauseFor } from '../../pause.js';
import type { Clock } from '../../ports/clock.js';
import type { IdSource } from '../../ports/id-source.js';
import type { ObservationStore } from '../../ports/observation-store.js';
import type { Directory, StationDirectory } from '../../stations/station-directory.js';
import type { CommitQueue } from '../ingest/commit-queue.js';
import type { RainTotals } from '../read/current/rain-totals.js';
import type { ReadRecent } from '../read/current/read-recent.js';
import { type Permit, UNLIMITED } from '../read/gate/permit.js';
import { EventDelivery } from './event-delivery.js';
import { EventRing, MAX_EVENT_AGE } from './event-ring.js';
import type { LiveEncoder, LiveEvent, LiveExtras } from './live-event.js';
import { LiveReader, type LiveSink, type LiveSource } from './live-reader.js';
import { type PendingChange, PendingChanges } from './pending-changes.js';
import { ReaderRounds } from './reader-rounds.js';
import { type Selection, Selections } from './selections.js';
import type { WantedStations } from './wanted-stations.js';
import { WritesFirst } from './writes-first.js';

/** Maximum number of stations whose values are read together. */
const STATIONS_AT_ONCE = 500;
/** Minimum time between two reads, in milliseconds. Changes that are committed in between are read together. */
const READ_GAP = 50;
/** Pause after a failed read, in milliseconds. */
const FAILURE_PAUSE = 1000;
/**
 * Maximum number of repeated reads of values that a replica of the database does not have yet. With `READ_GAP` between them, they
 * take at least five seconds.
 */
const MAX_ATTEMPTS = 100;

/** The settings of a station that decide who wants and sees it. */
const DECIDING = ['id', 'latitude', 'longitude', 'visibility', 'positionDecimals'] as const;

/**
 * The reads of the feed have no limit of memory (see `Permit`), because they are few. Between two parts of a read, the event loop
 * can handle requests.
 */
const FEED_PERMIT: Permit = { ...UNLIMITED, turn: pause };

/** All alarms that are raised at present. */
export interface RaisedAlarms {
  /** Changes whenever an alarm is added, removed, raised or cleared. */
  readonly version: string;
  /** The raised alarms of each station, by number of the station, in order of their names. */
  readonly raised: ReadonlyMap<number, readonly AlarmOfStation[]>;
}

/** The settings of a new event stream of a client. */
export interface NewSubscriber {
  readonly wanted: WantedStations;
  readonly encoder: LiveEncoder;
  /** The current stations. */
  readonly directory: Directory;
  /** Number of calls of `LiveReader.visit`, 15 s apart, after which the stream ends; undefined for a stream without an end. */
  readonly visits: number | undefined;
}

/**
 * Creates an event for each station whose observations have changed, and sends the events to the readers that want the station. A
 * reader is the event stream of one client; see `LiveReader`.
 *
 * The announcer tells the feed after each commit which observations have changed. Then the newest values of a changed station are
 * read once, and encoded once for all readers with the same encoder.
 *
 * The feed subscribes to the announcer only while it has readers, or had readers in the last 15 minutes, because their clients
 * may reconnect. It reads only the stations that these readers want.
 */
export class ObservationFeed {
  readonly #clock: Clock;
  readonly #announcer: Announcer;
  readonly #directory: StationDirectory;
  readonly #observations: ObservationStore;
  readonly #writesFirst: WritesFirst;
  readonly #recent: ReadRecent;
  readonly #rain: RainTotals;
  readonly #alarms: { recent(): Promise<RaisedAlarms> };
  /** The alarms of the last events; undefined while no client wants alarms. */
  #raised: RaisedAlarms | undefined;
  /**
   * First part of all positions that this process assigns, for example `3f2a90c1d7e4` in `3f2a90c1d7e4-17`. It differs in each
   * process, so a position from another process is recognized.
   */
  readonly #epoch: string;
  readonly #ring = new EventRing();
  readonly #pending = new PendingChanges();
  readonly #selections = new Selections();
  readonly #rounds = new ReaderRounds((readers) => this.#visit(readers));
  readonly #source: LiveSource;
  readonly #delivery: EventDelivery;
  readonly #closing = new AbortController();
  #known: Directory | undefined;
  #unsubscribe: (() => void) | undefined;
  #isRunning = false;
  #hasMissed = false;
  /** Whether stations may have changed since `#known` was read. */
  #hasNewStations = false;
  /** The selections that have lost stations, and whose readers have not been told yet. */
  readonly #shrunken = new Set<Selection>();
  /** Duration of the last delivery, in milliseconds. */
  #spent = 0;

  constructor(
    clock: Clock,
    ids: IdSource,
    announcer: Announcer,
    directory: StationDirectory,
    observations: ObservationStore,
    writes: Pick<CommitQueue, 'untilIdle'>,
    {
      recent,
      rain,
      alarms,
    }: {
      readonly recent: ReadRecent;
      readonly rain: RainTotals;
      readonly alarms: { recent(): Promise<RaisedAlarms> };
    },
  ) {
    this.#clock = clock;
    this.#announcer = announcer;
    this.#directory = directory;
    this.#observations = observations;
    this.#writesFirst = new WritesFirst(writes);
    this.#recent = recent;
    this.#rain = rain;
    this.#alarms = alarms;
    this.#epoch = ids.next().replaceAll('-', '').slice(-12);
    this.#source = {
      ring: this.#ring,
      positionOf: (sequence) => `${this.#epoch}-${sequence}`,
      present: ({ number }) => this.#known?.byNumber.get(number),
    };
    this.#delivery = new EventDelivery(this.#selections, this.#source, this.#writesFirst);
  }

  /** Whether the feed currently receives announcements of changed observations. */
  get isActive(): boolean {
    return this.#unsubscribe !== undefined;
  }

  /**
   * Begins the event stream of a client.
   *
   * @returns the stream (`reader`), and a function to call when the client has gone (`leave`)
   * @throws DomainError SERVICE_UNAVAILABLE after `close`
   */
  join(
    { wanted, encoder, directory, visits }: NewSubscriber,
    sink: LiveSink,
    position: string | undefined,
  ): { readonly reader: LiveReader; readonly leave: () => void } {
    if (this.#closing.signal.aborted)
      throw new DomainError('SERVICE_UNAVAILABLE', 'The service is shutting down.', { retryAfter: 5 });
    this.#use(directory);
    this.#unsubscribe ??= this.#announcer.subscribe(
      ['observations', 'stations', 'forecast'],
      (announcement) => this.#receive(announcement),
    );
    this.#start();
    const { last } = this.#ring;
    const after = position === undefined ? last : this.#sequenceOf(position);
    // A selection stands for the clients that want the same stations. Events of these stations are created only while the
    // selection exists, so earlier changes of the stations may have no event. `since` is the last event before the selection was
    // created. A client whose last received event is older than `since` cannot resume its stream.
    const since = this.#selections.find(wanted.key)?.since ?? last;
    const reader = new LiveReader(wanted, encoder, sink, this.#source, visits);
    const selection = this.#selections.join(reader, wanted, last);
    this.#rounds.add(reader);
    // Alarms that change from now on need an event.
    this.#findChangedAlarms().catch(() => undefined);
    if (after === undefined) reader.beginAnew('unknown_position');
    else if (after < since || !this.#ring.hasAllAfter(after)) reader.beginAnew('too_old');
    else reader.begin(after);
    const leave = () => {
      this.#rounds.delete(reader);
      this.#selections.leave(reader, selection, this.#clock.now());
    };
    return { reader, leave };
  }

  /** Ends all streams. */
  close(): void {
    this.#closing.abort();
    this.#stop();
    for (const reader of this.#selections.readers()) reader.end();
  }

  /**
   * @returns the sequence number in a position; undefined if the position is from another process, or later than the last event
   */
  #sequenceOf(position: string): number | undefined {
    const match = /^(\w+)-(\d{1,15})$/.exec(position);
    const sequence = match?.[1] === this.#epoch ? Number(match[2]) : Number.NaN;
    return sequence <= this.#ring.last ? sequence : undefined;
  }

  #receive(announcement: Announcement): void {
    if (announcement.kind === 'observations') {
      this.#pending.add(announcement.changes);
      this.#writesFirst.noteChange();
      this.#rain.forget(announcement.changes);
    } else if (announcement.kind === 'stations') this.#hasNewStations = true;
    else if (announcement.kind === 'forecast') {
      const station = this.#known?.byNumber.get(announcement.station);
      if (station !== undefined) this.#delivery.tellForecast(station, announcement.issued);
    } else this.#hasMissed = true;
    this.#start();
  }

  /** Whether a round has something to do. */
  get #hasWork(): boolean {
    return this.#hasMissed || this.#hasNewStations || this.#shrunken.size > 0 || !this.#pending.isEmpty;
  }

  #start(): void {
    if (this.#hasWork && !this.#isRunning) void this.#run();
  }

  /** Uses the current stations, and finds the selections that have lost a station: it was removed, hidden or moved. */
  #use(directory: Directory): void {
    const before = this.#known;
    this.#known = directory;
    if (before === undefined || before === directory) return;
    for (const station of before.list) {
      const now = directory.byNumber.get(station.number);
      if (now !== undefined && DECIDING.every((name) => now[name] === station[name])) continue;
      for (const selection of this.#selections.of(station))
        if (now === undefined || !selection.wanted.matches(now)) this.#shrunken.add(selection);
    }
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    const { signal } = this.#closing;
    while (this.#hasWork && !signal.aborted) {
      const next = this.#clock.uptime() + READ_GAP;
      this.#writesFirst.beginRound();
      await this.#writesFirst.wait();
      const hasRead = await this.#round();
      // The pause is at least as long as the last delivery, so that deliveries take at most half of the time and requests get the
      // rest.
      const gap = Math.max(next - this.#clock.uptime(), this.#spent);
      await pauseFor(hasRead ? gap : FAILURE_PAUSE, signal);
    }
    this.#isRunning = false;
  }

  /** @returns false if data could not be read, so that the caller waits longer before the next round */
  async #round(): Promise<boolean> {
    if (this.#hasMissed) await this.#resetReaders();
    let changes: readonly PendingChange[] = [];
    try {
      this.#hasNewStations = false;
      const directory = await this.#directory.current();
      this.#use(directory);
      if (this.#shrunken.size > 0) await this.#resetShrunken();
      changes = this.#pending.take(STATIONS_AT_ONCE, (number) => {
        const station = directory.byNumber.get(number);
        return station !== undefined && this.#selections.isWanted(station);
      });
      if (changes.length === 0) return true;
      await this.#writesFirst.wait();
      const newest = await this.#observations.newest(changes.map(({ station }) => station));
      const extras = await this.#readExtras(directory, changes);
      await this.#writesFirst.wait();
      const startedAt = this.#clock.uptime();
      await this.#delivery.send(this.#add(directory, changes, newest, extras));
      this.#spent = this.#clock.uptime() - startedAt;
      return true;
    } catch (error) {
      // The data of some stations cannot be reached, perhaps for a long time. Clients that want other stations must not wait for
      // these data, so the changes are dropped, and all clients are told that they may have missed changes.
      this.#hasNewStations = true;
      if (isDomainError(error) && error.partOnly) this.#hasMissed = true;
      else this.#pending.putBack(changes);
      return false;
    }
  }

  /**
   * Reads the totals of the local day, the trends, and the sums of months and years, for the stations for which a client wants
   * them. Data are left out if their rows are damaged.
   */
  async #readExtras(
    directory: Directory,
    changes: readonly PendingChange[],
  ): Promise<ReadonlyMap<number, LiveExtras>> {
    const stations = changes.flatMap(({ station }) => directory.byNumber.get(station) ?? []);
    const withRain = new Set(stations.filter((station) => this.#selections.needs(station, 'rain')));
    const wanted = stations.filter(
      (station) => withRain.has(station) || this.#selections.needs(station, 'recent'),
    );
    const extras = new Map<number, LiveExtras>(await this.#raisedAlarms(stations));
    if (wanted.length === 0) return extras;
    const recent = await this.#recent.readable(wanted, this.#clock.now(), FEED_PERMIT);
    for (const [number, one] of recent) extras.set(number, { ...extras.get(number), recent: one });
    for (const station of withRain) {
      const one = recent.get(station.number);
      // oxlint-disable-next-line no-await-in-loop -- one station at a time, so that requests can be handled in between
      const rain = one && (await this.#rain.execute(station, one.today, FEED_PERMIT));
      extras.set(station.number, { ...extras.get(station.number), rain });
    }
    return extras;
  }

  /** The raised alarms of the stations for which a client wants them. */
  async #raisedAlarms(stations: readonly Station[]): Promise<[number, LiveExtras][]> {
    const wanted = stations.filter((station) => this.#selections.needs(station, 'alarms'));
    if (wanted.length === 0) return [];
    const { raised } = await this.#alarms.recent();
    return wanted.map(({ number }) => [number, { alarms: raised.get(number) ?? [] }]);
  }

  /**
   * Creates events for the stations whose alarms have been raised or cleared since the last call, also by another process. The event has
   * the time of the newest row, because no row has changed.
   */
  async #findChangedAlarms(): Promise<void> {
    if (!this.#selections.isPartWanted('alarms')) {
      this.#raised = undefined;
      return;
    }
    const [before, now] = [this.#raised, await this.#alarms.recent()];
    this.#raised = now;
    if (before === undefined || before.version === now.version) return;
    const keyOf = (alarms: readonly AlarmOfStation[] = []) =>
      alarms.map(({ alarm, stationAlarm }) => `${alarm.id} ${stationAlarm.state.since}`).join();
    const stations = new Set([...before.raised.keys(), ...now.raised.keys()]);
    for (const station of stations)
      if (keyOf(before.raised.get(station)) !== keyOf(now.raised.get(station)))
        this.#pending.putBack([{ station, from: Infinity, to: -Infinity, revision: 0, attempts: 0 }]);
    this.#start();
  }

  #add(
    directory: Directory,
    changes: readonly PendingChange[],
    newest: readonly Newest[],
    extras: ReadonlyMap<number, LiveExtras>,
  ): LiveEvent[] {
    const now = this.#clock.now();
    this.#ring.dropOld(now);
    const events: LiveEvent[] = [];
    for (const [index, change] of changes.entries()) {
      const values = newest[index] as Newest;
      const station = directory.byNumber.get(change.station);
      if (station === undefined) continue;
      if (Number.parseFloat(values.revision) < change.revision && change.attempts < MAX_ATTEMPTS)
        this.#pending.putBack([{ ...change, attempts: change.attempts + 1 }]);
      else {
        // Without changed rows, only alarms have changed.
        const range = change.from <= change.to ? change : rangeOfNewest(values);
        if (range) events.push(this.#ring.add(station, range, values, now, extras.get(station.number)));
      }
    }
    return events;
  }

  /** Tells all clients that they may have missed changes. */
  async #resetReaders(): Promise<void> {
    this.#hasMissed = false;
    this.#pending.clear();
    this.#rain.clear();
    this.#shrunken.clear();
    this.#ring.skip();
    await this.#delivery.reset('missed', this.#selections.readers());
  }

  /**
   * Tells the clients that have lost a station. Clients that reconnect later cannot resume, because those that lost a station while they
   * were away must read the data again too.
   */
  async #resetShrunken(): Promise<void> {
    const readers = [...this.#shrunken].flatMap((selection) => [...selection.readers]);
    this.#shrunken.clear();
    this.#ring.skip();
    await this.#delivery.reset('removed', readers);
  }

  /** Keeps connections alive and ends expired streams. */
  #visit(readers: Iterable<LiveReader>): void {
    const now = this.#clock.now();
    this.#ring.dropOld(now);
    this.#selections.removeAbandoned(now - MAX_EVENT_AGE);
    if (this.#selections.isEmpty) this.#stop();
    // The message usually has the position of the last event. A client that reconnects sends this position, and gets only the
    // events after it. During a delivery some clients do not have the last event yet. If they reconnected with its position, they
    // would never get this event. So the message then has no position.
    const position = this.#delivery.isRunning ? undefined : this.#source.positionOf(this.#ring.last);
    for (const reader of readers) reader.visit(reader.encoder.keepAlive(position));
    // If the alarms cannot be read, the next round tries it again.
    this.#findChangedAlarms().catch(() => undefined);
  }

  #stop(): void {
    this.#rounds.stop();
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    this.#hasNewStations = false;
    this.#shrunken.clear();
    this.#pending.clear();
    this.#rain.clear();
    this.#ring.skip();
  }
}

function rangeOfNewest({ lastSeen }: Newest): { readonly from: number; readonly to: number } | undefined {
  return lastSeen === null ? undefined : { from: lastSeen, to: lastSeen };
}
