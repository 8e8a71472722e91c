import type { ShownForecast } from '#application/forecast/read/get-forecast.js';
import type { ReadClimateDays } from '#application/observations/climate/read-climate-days.js';
import { deriveColumns } from '#application/observations/read/derived/derive.js';
import type { StationSnapshot } from '#application/observations/read/describe-station.js';
import type { Permit } from '#application/observations/read/gate/permit.js';
import type { ReadAtTimes, TimeAxis } from '#application/observations/read/read-at-times.js';
import type { Summarize } from '#application/observations/read/summarize.js';
import type { SummaryRow } from '#application/observations/read/summary-rows.js';
import { daysAhead, type DayAhead } from '#domain/forecast/days-ahead.js';
import { forecastVariableNamed } from '#domain/forecast/forecast-variables.js';
import { MILLISECONDS } from '#domain/time.js';
import { REACH, type ValueAtTimes } from '#domain/weather/summaries/at-times.js';
import type { Statistics } from '#domain/weather/summaries/statistics.js';
import { V, variableNumbered } from '#domain/weather/variables.js';
import type { DailyName } from './daily-names.js';
import type { Origin, TimeName } from './names.js';
import { readPublishedDays } from './published-days.js';
import { isDay, skyOf } from './sky.js';

/** Hours of a day that must have a value, so that the day has a mean or an extreme; a sum needs all of them. */
const ENOUGH_HOURS = 20;

/** Values about the sun or the moon that are computed in one turn of the event loop. */
const SKY_AT_ONCE = 500;

/** The days of a request: each has 24 hours. */
export interface DayAxis {
  /** The begins of the days, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly starts: Float64Array;
  /** The offset of the clock by which the days begin, as a time zone: `+01:00`. */
  readonly clock: string;
  /** The same offset in milliseconds. */
  readonly offset: number;
}

/** The times of a section. */
export interface ValueAxis extends TimeAxis {
  /** Largest age of an observation that stands for a time, in milliseconds. The default is `REACH`. */
  readonly maxAge?: number;
}

/** The values of a station: of the past from its observations, of the future from its forecast if it has one. */
export class StationValues {
  readonly #described: StationSnapshot;
  readonly #forecast: ShownForecast | undefined;
  readonly #readAtTimes: ReadAtTimes;
  readonly #summarize: Summarize;
  readonly #readClimateDays: ReadClimateDays;
  readonly #permit: Permit;

  constructor(
    described: StationSnapshot,
    forecast: ShownForecast | undefined,
    useCases: {
      readonly readAtTimes: ReadAtTimes;
      readonly summarize: Summarize;
      readonly readClimateDays: ReadClimateDays;
    },
    permit: Permit,
  ) {
    this.#described = described;
    this.#forecast = forecast;
    this.#readAtTimes = useCases.readAtTimes;
    this.#summarize = useCases.summarize;
    this.#readClimateDays = useCases.readClimateDays;
    this.#permit = permit;
  }

  /** The columns of names at times, in the order of the names; NaN for missing values. Values have the units of weatherd. */
  async atTimes(axis: ValueAxis, names: readonly TimeName[]): Promise<readonly Float64Array[]> {
    const { maxAge = REACH } = axis;
    const wanted = new Wanted(names.map(({ origin }) => origin));
    const now = this.#described.asOf;
    const past = axis.times.filter((time) => time <= now);
    const observed = await this.#readAtTimes.execute(
      this.#described,
      { ...axis, times: past },
      wanted.list.map((value) => ({ ...value, maxAge })),
      this.#permit,
    );
    const ahead = new AheadValues(this.#forecast, axis);
    const columns = wanted.list.map((value, index) => {
      // A forecast has amounts, gusts and radiation of hours, so other steps have none of them.
      const isOfStep = value.method === 'at' || axis.step === MILLISECONDS.hour;
      const column = ahead.at(isOfStep ? forecastOf(value) : undefined);
      column.set(observed[index] as Float64Array);
      return column;
    });
    const quantities = [
      ...new Set(names.flatMap(({ origin }) => (origin.kind === 'derived' ? [origin.quantity] : []))),
    ];
    const atInstants = new Map(
      wanted.list.flatMap(({ variable, method }, index) =>
        method === 'at' ? [[variable, columns[index] as Float64Array]] : [],
      ),
    );
    const derived = deriveColumns(
      quantities,
      { times: axis.times, values: atInstants },
      this.#described.station,
    );
    const { station } = this.#described;
    const isDays = names.some(({ origin }) => origin.kind === 'is_day')
      ? await this.#ofSky(axis.times, (time) => isDay(time, station))
      : undefined;
    return names.map(({ origin }) => {
      switch (origin.kind) {
        case 'variable':
          return columns[wanted.indexOf(origin)] as Float64Array;
        case 'derived':
          return derived.get(quantities.indexOf(origin.quantity)) as Float64Array;
        case 'forecast':
          return ahead.ofHour(origin.isAmount && axis.step < MILLISECONDS.hour ? undefined : origin.number);
        case 'is_day':
          return isDays as Float64Array;
        case 'none':
          return new Float64Array(axis.times.length).fill(Number.NaN);
      }
    });
  }

  /**
   * The columns of names of days, in the order of the names. Days that have ended have the statistics of all observations, or the published
   * values of a station that has nothing else; other days have the statistics of their hours, observed and forecast.
   */
  async ofDays(axis: DayAxis, names: readonly DailyName[]): Promise<readonly Float64Array[]> {
    const { starts } = axis;
    const first = starts[0];
    if (first === undefined) return names.map(() => new Float64Array(0));
    const ofHours = names.flatMap((name) => ('of' in name ? [name.of] : []));
    const end = (starts.at(-1) as number) + MILLISECONDS.day;
    const hours = Float64Array.from(
      { length: (end - first) / MILLISECONDS.hour + 1 },
      (_, hour) => first + hour * MILLISECONDS.hour,
    );
    const columns =
      ofHours.length === 0 ? [] : await this.atTimes({ times: hours, step: MILLISECONDS.hour }, ofHours);
    const statistics = await this.#statistics(axis, ofHours);
    const dates = Array.from(starts, (start) => (start + axis.offset) / MILLISECONDS.day);
    const published = await readPublishedDays(
      this.#readClimateDays,
      this.#described,
      dates,
      names,
      this.#permit,
    );
    const ahead = this.#daysAhead(starts);
    const { station, asOf } = this.#described;
    const skies = new Map<DailyName, Float64Array>();
    for (const name of names)
      if ('sky' in name)
        // oxlint-disable-next-line no-await-in-loop -- the columns are computed one after the other
        skies.set(name, await this.#ofSky(starts, (start) => skyOf(name.sky, start, station)));
    let index = 0;
    return names.map((name) => {
      if ('sky' in name) return skies.get(name) as Float64Array;
      const column = columns[index++] as Float64Array;
      return starts.map((start, day) => {
        const found = statistics(day, name.of.origin);
        const hasEnded = start + MILLISECONDS.day <= asOf;
        const ofDate = hasEnded ? published(dates[day] as number, name) : undefined;
        if (ofDate !== undefined) return ofDate;
        if (found !== undefined && hasEnded && name.method !== 'hours')
          return found.isComplete ? ofStatistics(name, found.statistics) : Number.NaN;
        const values = column.subarray(day * 24, day * 24 + 25);
        const value = ofDay(name, values);
        if (Number.isNaN(value)) return hasEnded ? value : aheadOf(name, ahead.get(start));
        if (found === undefined) return value;
        // The extremes of the observations so far may lie between the hours.
        const extreme = ofStatistics(name, found.statistics);
        if (name.method === 'max') return Math.max(value, Number.isNaN(extreme) ? value : extreme);
        return name.method === 'min' ? Math.min(value, Number.isNaN(extreme) ? value : extreme) : value;
      });
    });
  }

  /** Computes a column about the sun or the moon in parts, because a value takes up to 0.1 ms and other requests go on in between. */
  async #ofSky(times: Float64Array, compute: (time: number) => number): Promise<Float64Array> {
    const column = new Float64Array(times.length);
    for (let begin = 0; begin < times.length; begin += SKY_AT_ONCE) {
      column.set(times.subarray(begin, begin + SKY_AT_ONCE).map(compute), begin);
      // oxlint-disable-next-line no-await-in-loop -- a turn between two parts
      await this.#permit.turn();
      this.#permit.signal?.throwIfAborted();
    }
    return column;
  }

  /** Returns a function that finds the statistics of the observations of a day. */
  async #statistics({ starts, clock }: DayAxis, names: readonly TimeName[]) {
    const { asOf } = this.#described;
    const numbers = [
      ...new Set(names.flatMap(({ origin }) => (origin.kind === 'variable' ? [origin.variable] : []))),
    ];
    const from = starts[0] as number;
    const to = Math.min((starts.at(-1) as number) + MILLISECONDS.day, asOf + 1);
    const rows = new Map<number, SummaryRow>();
    if (numbers.length > 0 && from < to) {
      const input = {
        from,
        to,
        interval: 'day',
        timeZone: clock,
        dayStart: 0,
        variables: numbers.map((number) => variableNumbered(number).name),
        quality: 'pass',
      } as const;
      for await (const page of this.#summarize.pages(this.#described, input, this.#permit))
        for (const row of page.rows) rows.set(row.start, row);
    }
    return (day: number, origin: Origin) => {
      const row = rows.get(starts[day] as number);
      if (row === undefined || origin.kind !== 'variable') return undefined;
      const index = numbers.indexOf(origin.variable);
      return {
        statistics: row.statistics[index] as Statistics,
        isComplete: row.completeness[index]?.complete !== false,
      };
    };
  }

  #daysAhead(starts: Float64Array): ReadonlyMap<number, DayAhead> {
    if (this.#forecast === undefined) return new Map();
    const days = Array.from(starts, (start) => ({ start, end: start + MILLISECONDS.day }));
    const { asOf: now, station } = this.#described;
    const { latitude, longitude } = station;
    const place = { now, measured: undefined, latitude, longitude };
    const found = daysAhead(this.#forecast.forecast.times, this.#forecast.published, days, place);
    return new Map(found.map((day) => [day.start, day]));
  }
}

/** The variables that columns are computed from, each once. */
class Wanted {
  readonly list: readonly ValueAtTimes[];

  constructor(origins: readonly Origin[]) {
    const all = origins.flatMap((origin): ValueAtTimes[] => {
      if (origin.kind === 'variable') return [origin];
      if (origin.kind !== 'derived') return [];
      return origin.quantity.inputs.map((variable) => ({ variable, method: 'at' }));
    });
    this.list = all.filter((value, index) => all.findIndex((other) => isSame(value, other)) === index);
  }

  indexOf(value: ValueAtTimes): number {
    return this.list.findIndex((other) => isSame(value, other));
  }
}

const isSame = (one: ValueAtTimes, other: ValueAtTimes) =>
  one.variable === other.variable && one.method === other.method;

/** Number of the variable of forecasts with the same meaning. */
function forecastOf({ variable }: ValueAtTimes): number | undefined {
  return forecastVariableNamed(variableNumbered(variable).name)?.number;
}

/** The values of a forecast at times. */
class AheadValues {
  readonly #forecast: ShownForecast | undefined;
  readonly #axis: TimeAxis;
  /** The indexes of the times of the forecast. */
  readonly #indexes: ReadonlyMap<number, number>;

  constructor(forecast: ShownForecast | undefined, axis: TimeAxis) {
    this.#forecast = forecast;
    this.#axis = axis;
    this.#indexes = new Map(Array.from(forecast?.forecast.times ?? [], (time, index) => [time, index]));
  }

  /**
   * The values at the times; a time between two hours, such as the present, has those of the hour before.
   *
   * @param number of the variable of forecasts; undefined gives a column without values
   */
  at(number: number | undefined): Float64Array {
    return this.#column(number, 0);
  }

  /** The values of the hours that end at the times; a shorter step has those of the hour in which it begins. */
  ofHour(number: number | undefined): Float64Array {
    return this.#column(number, this.#axis.step < MILLISECONDS.hour ? MILLISECONDS.hour : 0);
  }

  #column(number: number | undefined, later: number): Float64Array {
    const column = number === undefined ? undefined : this.#forecast?.published.get(number);
    return this.#axis.times.map((time) => {
      const index = this.#indexes.get(Math.floor(time / MILLISECONDS.hour) * MILLISECONDS.hour + later);
      return index === undefined ? Number.NaN : (column?.[index] ?? Number.NaN);
    });
  }
}

/** @param values the values at the 25 hours from the begin to the end of the day */
function ofDay(
  { method, of: { origin } }: Extract<DailyName, { readonly of: TimeName }>,
  values: Float64Array,
): number {
  // An amount belongs to the day in which its hour ends, an instant to the day in which it lies.
  const isAmount = origin.kind === 'variable' ? origin.method !== 'at' : origin.kind === 'forecast';
  const known = [...values.subarray(isAmount ? 1 : 0, isAmount ? 25 : 24)].filter(
    (value) => !Number.isNaN(value),
  );
  const sum = known.reduce((total, value) => total + value, 0);
  if (method === 'sum' || method === 'hours') {
    if (known.length < 24) return Number.NaN;
    if (method === 'hours') return known.filter((value) => value > 0).length;
    return isRadiation(origin) ? (sum * MILLISECONDS.hour) / 1e9 : sum;
  }
  if (known.length < ENOUGH_HOURS || method === 'dominant') return Number.NaN;
  return method === 'max' ? Math.max(...known) : method === 'min' ? Math.min(...known) : sum / known.length;
}

const isRadiation = (origin: Origin) => origin.kind === 'variable' && origin.variable === V.radiation;

function ofStatistics(
  { method, of: { origin } }: Extract<DailyName, { readonly of: TimeName }>,
  statistics: Statistics,
): number {
  const { min, max, mean, sum, integral } = statistics;
  switch (method) {
    case 'min':
      return min;
    case 'max':
      return max;
    case 'mean':
    case 'dominant':
      return mean;
    case 'sum':
      // W/m² × ms to MJ/m².
      return isRadiation(origin) ? (integral ?? Number.NaN) / 1e9 : sum;
    case 'hours':
      return Number.NaN;
  }
}

/** The value of a day of a forecast whose hours are not all known, because its later times are six hours apart. */
function aheadOf(
  { method, of: { origin } }: Extract<DailyName, { readonly of: TimeName }>,
  day: DayAhead | undefined,
): number {
  if (day === undefined) return Number.NaN;
  if (origin.kind === 'variable' && origin.variable === V.temperature)
    return method === 'max' ? day.maximum : method === 'min' ? day.minimum : Number.NaN;
  if (origin.kind === 'variable' && origin.variable === V.precipitation)
    return method === 'sum' ? day.rain : Number.NaN;
  return Number.NaN;
}
