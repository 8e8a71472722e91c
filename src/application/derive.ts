import { type Conditions, derivedNamed, type DerivedQuantity } from '../domain/derived.js';
import { DomainError } from '../domain/domain-error.js';
import type { Series } from '../domain/observations.js';
import { V, variableNumbered } from '../domain/variables.js';
import type { ObservationPage, ReadInput, ReadObservations } from './read-observations.js';

export interface DerivedPage extends Pick<ObservationPage, 'station' | 'from' | 'to' | 'next'> {
  readonly times: Float64Array;
  readonly quantities: readonly (readonly [quantity: DerivedQuantity, values: Float64Array])[];
}

/** Computes quantities from what has been observed. */
export class Derive {
  readonly #read: ReadObservations;

  constructor(read: ReadObservations) {
    this.#read = read;
  }

  /** @param input.variables names of derived quantities @throws DomainError as ReadObservations */
  async execute(
    input: Omit<ReadInput, 'variables'> & { readonly variables: readonly string[] },
    signal?: AbortSignal,
  ): Promise<DerivedPage> {
    const quantities = [...new Set(input.variables)].map((name) => {
      const quantity = derivedNamed(name);
      if (quantity !== undefined) return quantity;
      throw new DomainError('REQUEST_INVALID', `There is no derived quantity ${JSON.stringify(name)}.`);
    });
    const inputs = [...new Set(quantities.flatMap((quantity) => quantity.inputs))];
    const variables = inputs.map((number) => variableNumbered(number).name);
    const { station, from, to, next, series } = await this.#read.execute({ ...input, variables }, signal);
    const elevation = station.elevation ?? Number.NaN;
    const computed = quantities.map((quantity) => [quantity, compute(quantity, series, elevation)] as const);
    return { station, from, to, next, times: series.times, quantities: computed };
  }
}

function compute(quantity: DerivedQuantity, { times, values }: Series, elevation: number): Float64Array {
  const at = (variable: number, row: number) => values.get(variable)?.[row] ?? Number.NaN;
  return Float64Array.from(times, (_time, row) => {
    const conditions: Conditions = {
      temperature: at(V.temperature, row),
      dewPoint: at(V.dewPoint, row),
      humidity: at(V.humidity, row),
      pressure: at(V.pressure, row),
      windSpeed: at(V.windSpeed, row),
      elevation,
    };
    return quantity.compute(conditions);
  });
}
