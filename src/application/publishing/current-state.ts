import { MILLISECONDS } from '#domain/time.js';
import { seaLevelPressure } from '#domain/weather/derived/air/sea-level-pressure.js';
import { REDUCTION_ELEVATION } from '#domain/weather/derived/barometry.js';
import { type DerivedNow, derivedNow } from '#domain/weather/derived/derived-now.js';
import { type DerivedQuantity, within } from '#domain/weather/derived/quantity.js';
import { verdictOf } from '#domain/weather/series.js';
import type { Newest, NewestValue } from '#domain/weather/station-state.js';
import type { Station } from '#domain/weather/station.js';
import { roundTo } from '#domain/weather/usual-decimals.js';
import { VARIABLES } from '#domain/weather/variables.js';
import type { PublishedState } from '../ports/state-publisher.js';
import { DERIVED_PUBLISHED, isPublished, quantitiesOf } from './published-quantities.js';

/**
 * Milliseconds. A variable whose newest value is older than the newest row by more than this time is left out, because its sensor was
 * probably removed.
 */
const UNSEEN = 30 * MILLISECONDS.day;

/** Number of decimals of a derived quantity that names none (`QuantityDescription.decimals`). */
const DEFAULT_DECIMALS = 2;

/** The data of a station from which its state is computed. */
export interface StateInput {
  readonly station: Station;
  readonly plainId: string;
  readonly newest: Newest;
  /** Totals since local midnight by number of the variable, as `Today.sums`. */
  readonly sums: ReadonlyMap<number, number>;
  /** The quantity `feels_like`. */
  readonly feelsLike: DerivedQuantity;
  /** Age in milliseconds up to which values are current. */
  readonly maxAge: number;
  /** Age in milliseconds of the newest row from which reports are missing. */
  readonly silence: number;
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly now: number;
}

/** The state of a station, and when it changes without a new row. */
export interface CurrentState {
  readonly state: PublishedState;
  /** The first time at which a value becomes too old or reports become missing, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly changesAt: number;
}

/**
 * Computes what is published of a station. A value that failed quality control, or is older than `maxAge`, becomes null.
 *
 * @returns undefined if the station has no quantity that is published
 */
export function currentState(input: StateInput): CurrentState | undefined {
  const { station, plainId, newest, sums, feelsLike, maxAge, silence, now } = input;
  const { lastSeen } = newest;
  if (lastSeen === null) return undefined;
  const values = currentVariables(newest, lastSeen);
  const quantities = quantitiesOf(new Set(values.keys())).filter(
    // A quantity that is unknown at every time would be a sensor without values.
    ({ name }) => name !== seaLevelPressure.name || canReduce(station),
  );
  if (quantities.length === 0) return undefined;
  const derived = new Map(
    derivedNow(station, (visit) => newest.each(visit), feelsLike, DERIVED_PUBLISHED).map((found) => [
      found.quantity.name,
      found,
    ]),
  );
  let changesAt = Infinity;
  /** Whether something of this time is at most so old. If it is, the result changes when it becomes older. */
  const isWithin = (time: number, age: number) => {
    if (now - time > age) return false;
    changesAt = Math.min(changesAt, time + age + 1);
    return true;
  };
  const valueOf = (quantity: (typeof quantities)[number]): number | null => {
    if (quantity.kind === 'derived') {
      const found = derived.get(quantity.name);
      return found !== undefined && isWithin(found.time, maxAge) ? rounded(found) : null;
    }
    const value = values.get(quantity.variable);
    if (value === undefined || !isWithin(value.time, maxAge)) return null;
    if (quantity.kind === 'total') return sums.get(quantity.variable) ?? null;
    return verdictOf(value.flags) === 'fail' ? null : value.value;
  };
  const state = {
    station,
    plainId,
    time: lastSeen,
    values: quantities.map((quantity) => ({ name: quantity.name, value: valueOf(quantity) })),
    isSilent: !isWithin(lastSeen, silence),
    maxAge: maxAge / MILLISECONDS.second,
  };
  return { state, changesAt };
}

/** Whether the pressure of a station can be reduced to sea level. */
function canReduce({ elevation }: Station): boolean {
  return elevation !== null && within(elevation, REDUCTION_ELEVATION.min, REDUCTION_ELEVATION.max);
}

/** A derived value with the decimals that its accuracy justifies, as in the replies of the API. */
function rounded({ quantity: { decimals = DEFAULT_DECIMALS }, value }: DerivedNow): number {
  return roundTo(value, decimals);
}

/** The newest values that are published, without those of removed sensors. */
function currentVariables({ values }: Newest, lastSeen: number): ReadonlyMap<number, NewestValue> {
  return new Map(
    VARIABLES.filter(isPublished).flatMap(({ number }) => {
      const value = values.get(number);
      return value === undefined || lastSeen - value.time > UNSEEN ? [] : [[number, value] as const];
    }),
  );
}
