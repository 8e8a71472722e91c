import { fineParticlesIndex, particlesIndex } from '#domain/weather/derived/air/air-quality-index.js';
import { seaLevelPressure } from '#domain/weather/derived/air/sea-level-pressure.js';
import { FEELS_LIKE } from '#domain/weather/derived/comfort/feels-like.js';
import { dewPoint } from '#domain/weather/derived/humidity/dew-point.js';
import type { DerivedQuantity } from '#domain/weather/derived/quantity.js';
import { V, type Variable, VARIABLES, variableNumbered } from '#domain/weather/variables.js';

/**
 * Names of the totals since local midnight, by the name of the variable whose values are added up. The amounts themselves are not
 * published: a program that reads a state twice would count an amount twice.
 */
export const TOTALS: Readonly<Record<string, string>> = {
  precipitation_amount: 'rain_today',
  duration_of_sunshine: 'sunshine_today',
  lightning_strike_count: 'lightning_strikes_today',
  thickness_of_snowfall_amount: 'snowfall_today',
};

/** A derived quantity with the variables that a station must have, and the variable that replaces the quantity. */
interface DerivedEntry {
  readonly name: string;
  readonly needs: readonly number[];
  readonly unless?: number;
}

/** The derived quantities besides `feels_like`. */
export const DERIVED_PUBLISHED: readonly DerivedQuantity[] = [
  dewPoint,
  seaLevelPressure,
  fineParticlesIndex,
  particlesIndex,
];

const DERIVED_ENTRIES: readonly DerivedEntry[] = [
  { name: dewPoint.name, needs: [V.temperature, V.humidity], unless: V.dewPoint },
  { name: FEELS_LIKE, needs: [V.temperature, V.humidity] },
  { name: seaLevelPressure.name, needs: [V.temperature, V.pressure], unless: V.seaLevelPressure },
  { name: fineParticlesIndex.name, needs: [V.temperature, V.pm2p5] },
  { name: particlesIndex.name, needs: [V.temperature, V.pm10] },
];

/**
 * Whether values of a variable are published. Values of whole days (`daily_…`) are not current weather, and marks only describe other
 * values.
 */
export function isPublished({ period, mark }: Variable): boolean {
  return period === undefined && mark === undefined;
}

/** A quantity of a station: a variable, a total of the day of the variable, or a derived quantity. */
export type PublishedQuantity =
  | { readonly kind: 'variable' | 'total'; readonly name: string; readonly variable: number }
  | { readonly kind: 'derived'; readonly name: string };

/** The quantities of a station with these variables, in the order of the catalog, the derived ones last. @param variables numbers */
export function quantitiesOf(variables: ReadonlySet<number>): PublishedQuantity[] {
  const measured = VARIABLES.filter(
    (variable) => variables.has(variable.number) && isPublished(variable),
  ).map(({ number, name }): PublishedQuantity => {
    const total = TOTALS[name];
    return total === undefined
      ? { kind: 'variable', name, variable: number }
      : { kind: 'total', name: total, variable: number };
  });
  const derived = DERIVED_ENTRIES.filter(
    ({ needs, unless }) =>
      needs.every((number) => variables.has(number)) && (unless === undefined || !variables.has(unless)),
  ).map(({ name }): PublishedQuantity => ({ kind: 'derived', name }));
  return [...measured, ...derived];
}

/** All quantities that can be published, with their stored units. Receivers check with it that they know each of them. */
export function allQuantities(): { readonly name: string; readonly unit: string }[] {
  const variables = new Set(VARIABLES.map(({ number }) => number));
  const derived = new Map(DERIVED_PUBLISHED.map(({ name, unit }) => [name, unit]));
  const [all, withoutReplaced] = [
    quantitiesOf(variables),
    quantitiesOf(new Set([V.temperature, V.humidity, V.pressure])),
  ];
  const found = new Map([...all, ...withoutReplaced].map((quantity) => [quantity.name, quantity]));
  return [...found.values()].map((quantity) => ({
    name: quantity.name,
    unit:
      quantity.kind === 'derived'
        ? (derived.get(quantity.name) ?? '°C')
        : variableNumbered(quantity.variable).unit,
  }));
}
