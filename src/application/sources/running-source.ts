import { nextPoll } from '#domain/sources/poll-times.js';
import { nextTime, openSpans } from '#domain/sources/open-spans.js';
import {
  listedGaps,
  type Source,
  type SourceGap,
  type SourceState,
  withGap,
} from '#domain/sources/source.js';
import { MILLISECONDS } from '#domain/time.js';
import type { SourceState as CounterState } from '#domain/uploads/source-state.js';
import type { RainPeriod } from '#domain/uploads/upload.js';
import { KeyedQueue } from '../keyed-queue.js';
import {
  allowanceAt,
  type RequestAllowance,
  type RequestLimit,
  takeRequest,
} from '#domain/uploads/request-allowance.js';
import { MAX_AHEAD } from '../observations/ingest/rejection.js';
import type { Clock } from '../ports/clock.js';
import { SourceFailure } from '#domain/sources/source-failure.js';
import type { SourceReport } from '../ports/source-kind.js';
import type { NoteSensors } from '../sensors/note-sensors.js';
import type { AskedSource, AskSource } from './ask-source.js';
import { canFill, gapIntervals, reportInterval } from './source-kinds.js';
import type { SourceRecords } from './source-records.js';
import type { Rain, StoreReports } from './store-reports.js';

/** A source is silent after this number of intervals without a report. */
const SILENT_INTERVALS = 3;
/** Largest number of reports of a device that wait to be stored. More are dropped, because somebody sends too many. */
const MAX_WAITING = 32;
/** How many reports a device may send by itself. Anybody in the network can send one in its name. */
const DATAGRAMS: RequestLimit = { requests: 30, seconds: 30 };
/** Milliseconds between two writes of the state if only the times of reports have changed. Few writes make SD cards last longer. */
const STATE_INTERVAL = MILLISECONDS.minute;
/** Length of the beginning of a date (`2026-11-27`) that is the same in a period after which a rain counter begins again. */
const PERIODS: ReadonlyMap<RainPeriod, number> = new Map([
  ['month', 7],
  ['year', 4],
  ['total', 0],
]);
/** The largest difference between a local time and UTC, in milliseconds. */
const MAX_OFFSET = 14 * MILLISECONDS.hour;
const NO_HISTORY = 'This kind of source cannot be asked for the past.';
const NO_SECRETS = 'The source has no secrets with which it can be asked for the past.';
const NO_REPORTS = 'The source has no reports of this time.';
const NOT_YET = 'The source does not have all reports of this time yet.';
/**
 * Milliseconds from the end of a gap for which a source is asked again for reports that it does not have yet: a service gets the reports of
 * its devices later, and those of an outage last.
 */
const PATIENCE = MILLISECONDS.day;
/** The shortest and the longest wait between two such requests. In between it is as long as the gap is over. */
const [MIN_WAIT, MAX_WAIT] = [5 * MILLISECONDS.minute, 6 * MILLISECONDS.hour];
/** How long before a gap the interval of the archive is looked for, in milliseconds. */
const LOOKBACK = 6 * MILLISECONDS.hour;
/** The age of the oldest report that a source may give as its newest one, in milliseconds. */
const MAX_AGE = 366 * MILLISECONDS.day;
/** The keys of the queues in which reports, and states, are stored one after the other. */
const [REPORTS, STATE] = ['reports', 'state'];

/** What has become of a request or a datagram, for the metrics. */
export type AskOutcome = 'stored' | 'unchanged' | 'failed';

/** A source of the list, with all that is needed to ask it. */
export interface ListedSource extends AskedSource {
  readonly source: Source;
  /** Milliseconds between two requests. */
  readonly interval: number;
}

export interface RunningSourceDependencies {
  readonly clock: Clock;
  readonly ask: AskSource;
  readonly store: StoreReports;
  readonly records: SourceRecords;
  /** Whether this process still is the one that asks the sources. Another one has a newer state otherwise. */
  readonly isHolder: () => boolean;
  readonly count: (source: string, outcome: AskOutcome) => void;
  readonly sensors: Pick<NoteSensors, 'note'>;
}

/** A gap that is being filled. */
interface Filling {
  readonly gap: SourceGap;
  /** Time up to which the gap is filled, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly until: number;
  readonly counters: CounterState | undefined;
  /** Rain of the reports so far. */
  readonly rain: readonly Rain[];
  /** Times of the reports so far. */
  readonly times: readonly number[];
}

/**
 * Asks one source again and again, stores its reports, and fills what an outage left open.
 *
 * After a gap the newest report is stored at once, with all rain since the report before it. When the gap is filled, the rain moves to
 * its own times, and the newest report keeps the rest. A crash at any point leaves the sum right: the gap is stored before the newest
 * report, and its rain after it.
 */
export class RunningSource {
  readonly listed: ListedSource;
  readonly #with: RunningSourceDependencies;
  readonly #queue = new KeyedQueue();
  #state: SourceState;
  #storedText: string;
  #storedAt = -Infinity;
  /** `Clock.uptime` of the next request, and of the next attempt to fill a gap after a failure. */
  #nextAt = -Infinity;
  #nextFillAt = -Infinity;
  /** `Clock.uptime` of the next attempt to fill gaps that the source could not fill yet, by their beginning. */
  readonly #waiting = new Map<number, number>();
  #allowance: RequestAllowance | undefined;
  #failures = 0;
  #fillFailures = 0;
  #busy: Promise<void> | undefined;
  #filling: Filling | undefined;

  /** @param state the stored state */
  constructor(listed: ListedSource, state: SourceState, dependencies: RunningSourceDependencies) {
    this.listed = listed;
    this.#with = dependencies;
    this.#state = state;
    this.#storedText = urgentText(state);
    if (this.#isPolled && listed.kind.reach === 'public') this.#nextAt = this.#firstAt();
  }

  /** A service that was asked before a restart is not asked again before the end of the interval, also after a crash each minute. */
  #firstAt(): number {
    const { clock } = this.#with;
    const { interval } = this.listed;
    const wait = (this.#state.answeredAt ?? -Infinity) + interval - clock.now();
    // The clock may have been set back since.
    return clock.uptime() + Math.min(wait, interval);
  }

  get state(): SourceState {
    return this.#state;
  }

  /** Begins a request if it is time for one and none is running. */
  wake(signal: AbortSignal): void {
    if (this.#busy !== undefined) return;
    const now = this.#with.clock.uptime();
    if (now < this.#nextAt) return;
    const work = this.#isPolled ? this.#poll(signal) : this.#watch(signal);
    // The next round stores a state that could not be stored, and reports the failure.
    this.#busy = work
      .then(() => this.save())
      .catch(() => undefined)
      .finally(() => {
        this.#busy = undefined;
      });
  }

  /** Stores a report that the device has sent by itself. @throws DomainError STORE_UNAVAILABLE */
  async receive(report: SourceReport): Promise<void> {
    const allowance = takeRequest(allowanceAt(this.#allowance, DATAGRAMS, this.#with.clock.uptime()));
    if (allowance === undefined || this.#queue.lengthOf(REPORTS) >= MAX_WAITING) return;
    this.#allowance = allowance;
    try {
      await this.#store([report], this.#with.clock.now());
    } catch (error) {
      if (!(error instanceof SourceFailure)) throw error;
      this.#failed(error.message);
    }
  }

  /** The source gives no reports for a reason outside of its requests, as a sentence. */
  fail(reason: string): void {
    if (this.#state.reason !== reason) this.#failed(reason);
  }

  /** Ends the gaps that a person has dismissed. */
  dismiss(source: Pick<Source, 'dismissedUntil'>): void {
    const gaps = listedGaps(source, this.#state);
    if (gaps.length < this.#state.gaps.length) this.#state = { ...this.#state, gaps };
  }

  /** Waits for the end of the running request. */
  async idle(): Promise<void> {
    await this.#busy;
  }

  /** Waits for the running request, and stores the state. */
  async close(): Promise<void> {
    await this.idle();
    await this.save(0);
  }

  /**
   * Stores the state if it has changed.
   *
   * @param interval milliseconds between two writes if only the times of reports have changed
   */
  async save(interval: number = STATE_INTERVAL): Promise<void> {
    await this.#queue.run(STATE, () => this.#save(interval));
  }

  async #save(interval: number): Promise<void> {
    const { clock, records, isHolder } = this.#with;
    if (!isHolder()) return;
    const state = this.#state;
    const isUrgent = urgentText(state) !== this.#storedText;
    if (!isUrgent && (state.answeredAt === null || clock.uptime() - this.#storedAt < interval)) return;
    await records.putState(this.listed.source.name, state, clock.now());
    this.#storedText = urgentText(state);
    this.#storedAt = clock.uptime();
  }

  get #isPolled(): boolean {
    const { kind } = this.listed;
    return kind.ask !== undefined && kind.isPolled !== false;
  }

  async #poll(signal: AbortSignal): Promise<void> {
    const { clock, ask } = this.#with;
    const askedAt = clock.uptime();
    let retryAfter: number | undefined;
    let freshFor = 0;
    try {
      const receivedAt = clock.now();
      const { reportedAt } = this.#state;
      const asked = { ...this.listed, ...(reportedAt !== null && { since: reportedAt }) };
      const reports = await ask.execute(asked, undefined, signal, (milliseconds) => {
        // A page of a device may be marked for caches of browsers, although its values change.
        if (this.listed.kind.reach === 'public') freshFor = Math.max(freshFor, milliseconds);
      });
      await this.#store(reports, receivedAt, freshFor);
      this.#failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      this.#failures += 1;
      retryAfter = error instanceof SourceFailure ? error.retryAfter : undefined;
      this.#failed(reasonOf(error));
      if (error instanceof SourceFailure && error.needsOwner) await this.#readSecrets();
    }
    if (this.#failures === 0) await this.#fill(signal);
    this.#nextAt = nextPoll({
      askedAt,
      endedAt: clock.uptime(),
      interval: this.listed.interval,
      failures: this.#failures,
      retryAfter: retryAfter === undefined ? undefined : retryAfter * MILLISECONDS.second,
      freshFor,
    });
  }

  /** Notices that a device which sends by itself is silent, and fills gaps. */
  async #watch(signal: AbortSignal): Promise<void> {
    const { clock } = this.#with;
    const { interval, source } = this.listed;
    const silence = clock.now() - (this.#state.answeredAt ?? source.since);
    if (silence > SILENT_INTERVALS * interval && this.#state.failingSince === null)
      this.#failed(`The device has sent nothing for ${Math.round(silence / MILLISECONDS.second)} s.`);
    await this.#fill(signal);
    this.#nextAt = clock.uptime() + interval;
  }

  /** Another process may have asked the source meanwhile, and a service may have replaced a secret then. */
  async #readSecrets(): Promise<void> {
    const { secrets, source } = this.listed;
    Object.assign(secrets, await this.#with.records.secrets(source.name).catch(() => ({})));
  }

  #failed(reason: string): void {
    const { count, clock } = this.#with;
    count(this.listed.source.name, 'failed');
    this.#state = { ...this.#state, failingSince: this.#state.failingSince ?? clock.now(), reason };
  }

  /** @param freshFor milliseconds for which the reply with the reports stays valid */
  async #store(reports: readonly SourceReport[], receivedAt: number, freshFor = 0): Promise<void> {
    await this.#queue.run(REPORTS, async () => {
      // A wrong clock must neither become a row, nor a gap that never ends. The other reports of a reply are right all the same.
      const isNear = ({ time = receivedAt }: SourceReport) =>
        time <= receivedAt + MAX_AHEAD && time >= receivedAt - MAX_AGE;
      for (const report of reports.filter(isNear)) await this.#storeOne(report, receivedAt);
      if (!reports.every(isNear))
        throw new SourceFailure(
          'The clock of the source is wrong: the time of its report is not near the present.',
        );
      this.#state = { ...this.#state, answeredAt: receivedAt, ...this.#staleness(receivedAt, freshFor) };
    });
  }

  /** A service answers for as long as it likes after its device has ended. Such a source is silent too. */
  #staleness(now: number, freshFor: number): Pick<SourceState, 'failingSince' | 'reason'> {
    const { source, kind, interval, station } = this.listed;
    const newest = this.#state.reportedAt ?? source.since;
    const longest = Math.max(interval, freshFor, reportInterval(kind, station));
    if (now - newest <= SILENT_INTERVALS * longest) return { failingSince: null, reason: null };
    const reason =
      this.#state.reportedAt === null
        ? 'The source answers, but it has no report.'
        : `The source answers, but its newest report is of ${new Date(newest).toISOString().slice(0, 19)}Z.`;
    return { failingSince: newest, reason };
  }

  async #storeOne(report: SourceReport, receivedAt: number): Promise<void> {
    const { store, count, sensors } = this.#with;
    const { source, kind, secrets, interval } = this.listed;
    // A report that only repeats values may have new states of sensors.
    sensors.note(source.station, { source: source.name }, report.sensors ?? [], receivedAt);
    const time = report.time ?? receivedAt;
    const before = this.#state.reportedAt;
    if (report.time !== undefined && before !== null && time <= before) {
      // A datagram may overtake another one. The counters of a later report have its rain already.
      if (time < before) await store.past(source, [report], undefined);
      count(source.name, time < before ? 'stored' : 'unchanged');
      return;
    }
    const silence = gapIntervals(kind, secrets) * interval;
    let gap = before !== null && time - before > silence ? this.#gap(before, time) : undefined;
    if (gap !== undefined) {
      const counts = (report.counters ?? []).length > 0;
      gap = {
        ...gap,
        ...(counts && { rain: null, ...(!hasAllRain(report, gap) && { isLeastRain: true as const }) }),
      };
      this.#replaceGap(gap, gap);
      await this.save();
    }
    const outcome = await store.newest(source, report, receivedAt);
    if (outcome.kind === 'refused') throw new SourceFailure(outcome.detail);
    count(source.name, outcome.kind);
    this.#state = { ...this.#state, reportedAt: time };
    if (gap === undefined) return;
    const { rain: _unknown, ...others } = gap;
    const { rain } = outcome;
    this.#replaceGap(gap, rain === undefined ? others : { ...gap, rain });
    await this.save();
  }

  #gap(from: number, to: number): SourceGap {
    const { kind, secrets } = this.listed;
    if (canFill(kind, secrets)) return { from, to, reason: null };
    return { from, to, reason: kind.history === undefined ? NO_HISTORY : NO_SECRETS };
  }

  /** Asks for the reports of the oldest gap that waits to be filled, one part of the gap at a time. */
  async #fill(signal: AbortSignal): Promise<void> {
    const uptime = this.#with.clock.uptime();
    const gap = this.#state.gaps.find(
      ({ reason, from }) => reason === null && uptime >= (this.#waiting.get(from) ?? -Infinity),
    );
    if (gap === undefined || uptime < this.#nextFillAt) return;
    try {
      await this.#fillPart(gap, signal);
      this.#fillFailures = 0;
    } catch (error) {
      if (signal.aborted) return;
      this.#fillFailures += 1;
      const isFinal = error instanceof SourceFailure && error.needsOwner;
      const problem = reasonOf(error);
      // Its rain may be known only now. A gap that was dismissed meanwhile stays away.
      const failed = this.#state.gaps.find(({ from }) => from === gap.from);
      if (failed !== undefined)
        this.#replaceGap(gap, isFinal ? { ...failed, reason: problem } : { ...failed, problem });
      const retryAfter = error instanceof SourceFailure ? error.retryAfter : undefined;
      const now = this.#with.clock.uptime();
      this.#nextFillAt = nextPoll({
        askedAt: now,
        endedAt: now,
        interval: this.listed.interval,
        failures: this.#fillFailures,
        retryAfter: retryAfter === undefined ? undefined : retryAfter * MILLISECONDS.second,
      });
    }
  }

  async #fillPart(known: SourceGap, signal: AbortSignal): Promise<void> {
    const { ask, store } = this.#with;
    const { source, kind } = this.listed;
    let gap = known;
    if (gap.rain === null) {
      const { rain: _rain, ...others } = gap;
      const rain = await store.rainAt(source, gap.to);
      gap = rain === undefined ? others : { ...gap, rain };
      this.#replaceGap(known, gap);
      await this.save();
    }
    const begun: Filling = { gap, until: gap.from, counters: undefined, rain: [], times: [] };
    const filling = this.#filling?.gap.from === gap.from ? this.#filling : begun;
    const to = Math.min(gap.to, filling.until + (kind.history?.longest ?? Infinity));
    const reports =
      filling.until < to ? await ask.execute(this.listed, { from: filling.until, to }, signal) : [];
    const missing = reports.filter(
      ({ time }) => time !== undefined && time > gap.from && time >= filling.until && time < to,
    );
    const past = await store.past(source, missing, filling.counters);
    this.#filling = {
      gap,
      until: to,
      counters: past.counters,
      rain: [...filling.rain, ...past.rain],
      times: [...filling.times, ...missing.map(({ time }) => time as number)],
    };
    const { rain, times } = this.#filling;
    // After each part, because the next one may fail for good.
    if (typeof gap.rain === 'number' && past.rain.length > 0)
      await store.fitRain(source, gap.to, gap.rain, rain, gap.isLeastRain);
    if (to < gap.to) return;
    const isWhole = times.length === 0 && (await this.#hasNothingBetween(gap, signal));
    this.#filling = undefined;
    if (isWhole) this.#replaceGap(gap, undefined);
    else this.#endFilling(gap, times);
    await this.save();
  }

  /** Keeps a gap that is not filled yet, or what stays open of it. @param times of the reports in the gap */
  #endFilling(gap: SourceGap, times: readonly number[]): void {
    const { kind, secrets, interval } = this.listed;
    const { clock } = this.#with;
    const since = Math.max(0, clock.now() - gap.to);
    // Each report of a device with amounts counts, so its service has one for each interval.
    const isEach = kind.history?.gapIntervals !== undefined;
    const rule = { silence: gapIntervals(kind, secrets) * interval, ...(isEach && { step: interval }) };
    const isOver = since > PATIENCE;
    const open = openSpans(gap, times, { ...rule, isStrict: !isOver });
    this.#waiting.delete(gap.from);
    if (open.length === 0) this.#replaceGap(gap, undefined);
    else if (isOver) {
      this.#replaceGap(gap, undefined);
      for (const span of open) this.#replaceGap({ ...span, reason: null }, { ...span, reason: NO_REPORTS });
    } else {
      this.#replaceGap(gap, { ...gap, problem: NOT_YET });
      this.#waiting.set(gap.from, clock.uptime() + Math.min(MAX_WAIT, Math.max(MIN_WAIT, since)));
    }
  }

  /** Whether the archive of the source has no report in the gap because the gap is shorter than the interval of the archive. */
  async #hasNothingBetween({ from, to }: SourceGap, signal: AbortSignal): Promise<boolean> {
    const { kind } = this.listed;
    const before = from + 1 - Math.min(LOOKBACK, kind.history?.longest ?? LOOKBACK);
    // A span has no report of its end.
    const span = { from: before, to: from + 1 };
    const reports = await this.#with.ask.execute(this.listed, span, signal);
    const times = reports.flatMap(({ time = Number.NaN }) => (time >= before && time <= from ? [time] : []));
    return to <= nextTime(times);
  }

  #replaceGap(gap: SourceGap, replacing: SourceGap | undefined): void {
    const others = this.#state.gaps.filter(({ from }) => from !== gap.from);
    this.#state = { ...this.#state, gaps: replacing === undefined ? others : withGap(others, replacing) };
  }
}

/** What is written at once when it changes. */
function urgentText({ reason, failingSince, gaps, answeredAt }: SourceState): string {
  return JSON.stringify([reason, failingSince, gaps, answeredAt === null]);
}

/** Whether a rain counter of the report has all rain of the gap, because it cannot have begun again in the gap. */
function hasAllRain({ counters = [] }: SourceReport, { from, to }: SourceGap): boolean {
  const [first, last] = [from - MAX_OFFSET, to + MAX_OFFSET].map((time) => new Date(time).toISOString());
  return counters.some(({ period }) => {
    const length = PERIODS.get(period);
    return length !== undefined && first?.slice(0, length) === last?.slice(0, length);
  });
}

function reasonOf(error: unknown): string {
  return error instanceof SourceFailure ? error.message : 'The reports could not be stored.';
}
