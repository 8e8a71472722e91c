import { DomainError } from '#domain/domain-error.js';
import { SourceFailure } from '#domain/sources/source-failure.js';
import { MILLISECONDS } from '#domain/time.js';
import type { Calendar } from '../../ports/calendar.js';
import type { ObservationStore } from '../../ports/observation-store.js';
import type { Span } from '../../ports/source-kind.js';
import { V } from '#domain/weather/variables.js';
import { rangeOf, type RangeRequest } from '../../observations/read/observation-query.js';
import type { StationDirectory } from '../../stations/station-directory.js';
import type { AskSource } from '../ask-source.js';
import { intervalOf } from '../run-sources.js';
import { canFill, gapIntervals, type SourceKinds } from '../source-kinds.js';
import { counterName, type SourceRecords } from '../source-records.js';
import type { Rain, StoreReports } from '../store-reports.js';
import type { SourceStates } from '../../uploads/source-states.js';

/** Longest span that one call fills. */
const MAX_SPAN = 366 * MILLISECONDS.day;

export interface FillSourceDependencies {
  readonly calendar: Calendar;
  readonly directory: StationDirectory;
  readonly observations: ObservationStore;
  readonly records: SourceRecords;
  readonly kinds: SourceKinds;
  readonly ask: AskSource;
  readonly store: StoreReports;
  readonly counters: SourceStates;
}

/** Fills the gaps of a station in a span with reports of a source. Rows that exist are not changed, except rain after a gap. */
export class FillSource {
  readonly #with: FillSourceDependencies;

  constructor(dependencies: FillSourceDependencies) {
    this.#with = dependencies;
  }

  /**
   * @param asked a date is a day of the station
   * @param progress called with the time up to which the span is filled, and the number of reports so far
   * @returns the number of stored reports
   * @throws DomainError SOURCE_UNKNOWN, SOURCE_FAILED, STORE_UNAVAILABLE; REQUEST_INVALID if the source cannot be asked for the past
   */
  async execute(
    name: string,
    asked: Pick<RangeRequest, 'from' | 'to'>,
    signal: AbortSignal,
    progress: (time: number, reports: number) => void = () => undefined,
  ): Promise<number> {
    const { records, kinds, directory, ask, store, calendar } = this.#with;
    const source = await records.get(name);
    const kind = kinds.named(source.kind);
    const station = (await directory.current()).byNumber.get(source.station);
    const secrets = await records.secrets(name);
    if (station === undefined)
      throw new DomainError('REQUEST_INVALID', 'The station of this source was removed.');
    const { from, to } = rangeOf(
      calendar,
      station,
      { first: null, last: null, count: 0, variables: [] },
      asked,
    );
    if (!(from < to) || to - from > MAX_SPAN)
      throw new DomainError('REQUEST_INVALID', 'A span begins before its end, and has at most 366 days.');
    if (kind.history === undefined || !canFill(kind, secrets))
      throw new DomainError(
        'REQUEST_INVALID',
        kind.history === undefined
          ? `A source of the kind ${kind.name} cannot be asked for the past.`
          : `The source needs the secrets ${(kind.history.secrets ?? []).join(', ')} to be asked for the past.`,
      );
    const { longest } = kind.history;
    const { state: { gauges = {} } = {} } = await this.#with.counters.of(counterName(source));
    const hasCounters = Object.keys(gauges).length > 0;
    let count = 0;
    const silence = gapIntervals(kind, secrets) * intervalOf(source, kind, station);
    for (const hole of await this.#holes(source.station, { from, to }, silence)) {
      let [counters, until]: [Parameters<StoreReports['past']>[2], number] = [undefined, hole.from];
      const rain: Rain[] = [];
      while (until < hole.to) {
        const end = Math.min(hole.to, until + longest);
        const begin = until;
        let reports;
        try {
          reports = await ask.execute({ source, kind, station, secrets }, { from: begin, to: end }, signal);
        } catch (error) {
          if (error instanceof SourceFailure) throw new DomainError('SOURCE_FAILED', error.message);
          throw error;
        }
        const missing = reports.filter(
          ({ time = Number.NaN }) => time > hole.from && time >= begin && time < end,
        );
        const past = await store.past(source, missing, counters);
        [counters, until] = [past.counters, end];
        rain.push(...past.rain);
        count += missing.length;
        progress(until, count);
      }
      // Rain that a counter has shown after the hole is that of the whole hole. An amount is that of one report.
      if (hasCounters && hole.rain !== undefined && rain.length > 0)
        await store.fitRain(source, hole.to, hole.rain, rain);
    }
    return count;
  }

  /** The spans without rows that are longer than `silence`, in milliseconds, each with the rain of the row at its end. */
  async #holes(
    station: number,
    { from, to }: Span,
    silence: number,
  ): Promise<readonly (Span & { readonly rain?: number })[]> {
    const holes: (Span & { readonly rain?: number })[] = [];
    let before = from;
    const query = { stations: [station], from, to };
    for await (const { times, values } of this.#with.observations.read(query))
      for (const [row, time] of times.entries()) {
        const rain = values.get(V.precipitation)?.[row];
        if (time - before > silence)
          holes.push({ from: before, to: time, ...(rain !== undefined && !Number.isNaN(rain) && { rain }) });
        before = time;
      }
    if (to - before > silence) holes.push({ from: before, to });
    return holes;
  }
}
