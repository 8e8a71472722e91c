import { converter } from '../weather/units.js';
import { variableNamed } from '../weather/variables.js';
import { advanceGauge, type GaugeRules, type GaugeState } from './gauge-counters.js';
import { type Gauge, GAUGES, RAIN_PERIODS, type RainCounter, type Reading } from './upload.js';

/** Millimeters at which the counters of consoles stop (236.22 in). */
const FULL = 5999.9;

/** The state of all counters of a source, after one upload. */
export interface SourceState {
  /** Time of the last upload that was counted, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly time: number;
  /** Seconds since the device had started. */
  readonly runtime?: number;
  /** Rain gauges by name, other counters by `field …`. */
  readonly gauges: Readonly<Record<string, GaugeState>>;
}

export interface SourceSample {
  readonly time: number;
  readonly runtime: number | undefined;
  readonly rain: readonly RainCounter[];
  /** The gauge that makes `precipitation_amount`, or null to choose it. */
  readonly gauge: Gauge | null;
  /** Readings of counters, each with the station that gets the increase. */
  readonly counters: readonly (readonly [station: string, reading: Reading])[];
  /** Whether a local midnight lies within two hours of the time since the last upload. */
  readonly isNearMidnight: () => boolean;
}

export interface SourceAdvance {
  readonly state: SourceState;
  /** Rain of the gauge that counts, in mm. */
  readonly rain: number | undefined;
  /** The gauge that counts; undefined without rain counters. */
  readonly gauge: Gauge | undefined;
  /** The increase of each counter that has one, with its station. */
  readonly increases: readonly (readonly [station: string, reading: Reading])[];
  readonly reports: readonly string[];
}

/**
 * Takes the counters of an upload. One that is not later than the last one says nothing about the time since then: a repeated
 * upload must not replace 0.3 mm with 0.
 */
export function advanceSource(state: SourceState | undefined, sample: SourceSample): SourceAdvance {
  const { time, runtime } = sample;
  const gauge = primaryGauge(state, sample);
  if (state !== undefined && time <= state.time)
    return { state, rain: undefined, gauge, increases: [], reports: [] };
  const hasRestarted = (runtime ?? Infinity) < (state?.runtime ?? 0);
  let isNearMidnight: boolean | undefined;
  const mayBeginAnew = () => hasRestarted || (isNearMidnight ??= sample.isNearMidnight());
  const gauges: Record<string, GaugeState> = { ...state?.gauges };
  const reports: string[] = [];
  const advance = (
    name: string,
    counters: readonly (readonly [string, number])[],
    rules: Omit<GaugeRules, 'mayBeginAnew'>,
  ) => {
    const next = advanceGauge(gauges[name], { time, counters }, { ...rules, mayBeginAnew });
    gauges[name] = next.state;
    reports.push(...next.reports.map((report) => `${name}: ${report}`));
    return next.amount;
  };

  let rain: number | undefined;
  for (const name of GAUGES) {
    const counters = RAIN_PERIODS.flatMap((period) =>
      sample.rain
        .filter((counter) => counter.gauge === name && counter.period === period)
        .map(({ amount }) => [period, amount] as const),
    );
    if (counters.length === 0) continue;
    const amount = advance(name, counters, { maxPerMinute: limitOf('precipitation_amount'), full: FULL });
    if (name === gauge) rain = amount;
  }
  const increases = sample.counters.flatMap(([station, reading]) => {
    const { field, variable: name, unit, value } = reading;
    const variable = variableNamed(name);
    // An unknown variable is refused later, with all others.
    if (variable === undefined) return [[station, reading] as const];
    // The counter stays in its own unit, and so does its limit.
    const limit = unit === undefined ? limitOf(name) : converter(variable, unit, 'unit')(limitOf(name));
    const rules = { maxPerMinute: limit, full: Infinity };
    const amount = advance(
      `field ${field}${unit === undefined ? '' : ` in ${unit}`}`,
      [['value', value]],
      rules,
    );
    return amount === undefined ? [] : [[station, { ...reading, value: amount, counter: false }] as const];
  });
  const next = { time, ...(runtime !== undefined && { runtime }), gauges };
  return { state: next, rain, gauge, increases, reports };
}

/** The tipping gauge, unless it is absent or shows only zeros while the piezo gauge counts. */
function primaryGauge(state: SourceState | undefined, { gauge, rain }: SourceSample): Gauge | undefined {
  const shows = (name: Gauge) => [
    ...rain.filter((counter) => counter.gauge === name).map(({ amount }) => amount),
    ...Object.values(state?.gauges[name]?.counters ?? {}).map(({ value }) => value),
  ];
  const [tipping, piezo] = [shows('tipping'), shows('piezo')];
  if (tipping.length === 0 && piezo.length === 0) return undefined;
  if (gauge !== null) return gauge;
  if (piezo.length === 0) return 'tipping';
  const counts = (amounts: readonly number[]) => amounts.some((amount) => amount > 0);
  return tipping.length === 0 || (!counts(tipping) && counts(piezo)) ? 'piezo' : 'tipping';
}

/** The limit of a sum for a minute, from the catalogue. */
function limitOf(name: string): number {
  const limits = variableNamed(name)?.limits;
  return limits?.perMinute === true ? limits.max : Infinity;
}
