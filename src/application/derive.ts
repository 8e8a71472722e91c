import { type Conditions, DERIVED, derivedNamed, type DerivedQuantity } from '../domain/derived.js';
import { DomainError } from '../domain/domain-error.js';
import { suggestion } from '../domain/nearest-name.js';
import { type Series, sliceSeries } from '../domain/observations.js';
import { V, variableNumbered } from '../domain/variables.js';
import type { Place, Reader } from './read-gate.js';
import type { ObservationPage, ReadInput, ReadObservations } from './read-observations.js';

/** Rows that are computed in one turn of the event loop. */
const ROWS_OF_TURN = 4096;

export interface DerivedPage extends Pick<ObservationPage, 'station' | 'from' | 'to' | 'next' | 'place'> {
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
    reader?: Reader,
  ): Promise<DerivedPage> {
    const quantities = [...new Set(input.variables)].map((name) => {
      const quantity = derivedNamed(name);
      if (quantity !== undefined) return quantity;
      const nearest = suggestion(
        name,
        DERIVED.map((known) => known.name),
      );
      throw new DomainError(
        'REQUEST_INVALID',
        `There is no derived quantity ${JSON.stringify(name)}.${nearest}`,
      );
    });
    const inputs = [...new Set(quantities.flatMap((quantity) => quantity.inputs))];
    const variables = inputs.map((number) => variableNumbered(number).name);
    const { series, place, ...page } = await this.#read.execute({ ...input, variables }, reader);
    try {
      const elevation = page.station.elevation ?? Number.NaN;
      const computed: (readonly [DerivedQuantity, Float64Array])[] = [];
      for (const quantity of quantities) {
        computed.push([quantity, await computeInTurns(quantity, series, elevation, place)]);
        reader?.signal.throwIfAborted();
      }
      return { ...page, place, times: series.times, quantities: computed };
    } catch (error) {
      place.leave();
      throw error;
    }
  }
}

async function computeInTurns(
  quantity: DerivedQuantity,
  series: Series,
  elevation: number,
  place: Place,
): Promise<Float64Array> {
  const rows = series.times.length;
  const values = new Float64Array(rows);
  for (let from = 0; from < rows; from += ROWS_OF_TURN) {
    if (from > 0) await place.turn();
    values.set(compute(quantity, sliceSeries(series, from, from + ROWS_OF_TURN), elevation), from);
  }
  return values;
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
