import { converter } from '../weather/units.js';
import { variableNamed } from '../weather/variables.js';
import { advanceGauge, type GaugeRules, type GaugeState } from './gauge-counters.js';
import { type Gauge, GAUGES, RAIN_PERIODS, type RainCounter, type Reading } from './upload.js';

/** Value in mm at which the rain counters of consoles stop (236.22 in). */
const RAIN_COUNTER_LIMIT = 5999.9;

/**
 * The state of all counters of a source after one upload. A source is whatever sends counters of its own, for example the console
 * that uses an upload key.
 */
export interface SourceState {
  /** Time of the last upload that was counted, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly time: number;
  /** Seconds from the start of the device to this upload. */
  readonly runtime?: number;
  /**
   * The states of all gauges and counters: a rain gauge under its name (`tipping`), any other counter under `field` and the name
   * of its field.
   */
  readonly gauges: Readonly<Record<string, GaugeState>>;
}

export interface SourceSample {
  readonly time: number;
  readonly runtime: number | undefined;
  readonly rain: readonly RainCounter[];
  /** The gauge that gives `precipitation_amount`; null to choose it automatically. */
  readonly gauge: Gauge | null;
  /** Readings of counters, each with the station that gets the increase. */
  readonly counters: readonly (readonly [station: string, reading: Reading])[];
  /** Whether there is a local midnight between two hours before the last upload and two hours after this upload. */
  readonly isNearMidnight: () => boolean;
}

export interface SourceAdvance {
  readonly state: SourceState;
  /** Rain of the chosen gauge, in mm. */
  readonly rain: number | undefined;
  /** The chosen gauge; undefined without rain counters. */
  readonly gauge: Gauge | undefined;
  /** The increases of the counters, each with its station. A counter without a known increase is left out. */
  readonly increases: readonly (readonly [station: string, reading: Reading])[];
  readonly reports: readonly string[];
}

/**
 * Computes the increases of the counters of an upload. If the upload is not later than the last upload, there are no increases.
 * For example, the second of two equal uploads has no increase: an increase of 0 would replace the stored increase of the first
 * upload.
 */
export function advanceSource(state: SourceState | undefined, sample: SourceSample): SourceAdvance {
  const { time, runtime } = sample;
  const gauge = primaryGauge(state, sample);
  if (state !== undefined && time <= state.time)
    return { state, rain: undefined, gauge, increases: [], reports: [] };
  const hasRestarted = (runtime ?? Infinity) < (state?.runtime ?? 0);
  let isNearMidnight: boolean | undefined;
  const mayReset = () => hasRestarted || (isNearMidnight ??= sample.isNearMidnight());
  const gauges: Record<string, GaugeState> = { ...state?.gauges };
  const reports: string[] = [];
  const advance = (
    name: string,
    counters: readonly (readonly [string, number])[],
    rules: Omit<GaugeRules, 'mayReset'>,
  ) => {
    const next = advanceGauge(gauges[name], { time, counters }, { ...rules, mayReset });
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
    const amount = advance(name, counters, {
      maxPerMinute: limitOf('precipitation_amount'),
      unit: 'mm',
      counterLimit: RAIN_COUNTER_LIMIT,
    });
    if (name === gauge) rain = amount;
  }
  const increases = sample.counters.flatMap(([station, reading]) => {
    const { field, variable: name, unit, value } = reading;
    const variable = variableNamed(name);
    // A reading of an unknown variable is returned unchanged. A later step refuses all readings of unknown variables together.
    if (variable === undefined) return [[station, reading] as const];
    // The counter keeps its own unit, so the limit is converted to this unit.
    const limit = unit === undefined ? limitOf(name) : converter(variable, unit, 'unit')(limitOf(name));
    const rules = { maxPerMinute: limit, unit: unit ?? variable.unit, counterLimit: Infinity };
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

/**
 * Returns the rain gauge whose amounts are stored; undefined if there are no rain counters. It is the gauge that the settings
 * choose. If the settings choose none, it is:
 *
 * - `piezo` if there is no tipping gauge;
 * - `piezo` if the tipping gauge always shows 0 while the piezo gauge counts;
 * - `tipping` in all other cases.
 */
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

/** The largest amount in a minute that the catalog allows for a variable; Infinity if the variable has no such limit. */
function limitOf(name: string): number {
  const limits = variableNamed(name)?.limits;
  return limits?.perMinute === true ? limits.max : Infinity;
}
