import { DomainError } from '../../../domain/domain-error.js';
import { suggestion } from '../../../domain/nearest-name.js';
import {
  type Conditions,
  DERIVED,
  derivedNamed,
  type DerivedQuantity,
} from '../../../domain/weather/derived.js';
import type { Series } from '../../../domain/weather/series.js';
import { V, variableNumbered } from '../../../domain/weather/variables.js';
import type { DescribedStation } from './describe-station.js';
import type { Reader } from './read-gate.js';
import type { ObservationPage, ReadInput, ReadObservations } from './read-observations.js';

export interface DerivedPage extends Pick<ObservationPage, 'station' | 'from' | 'to' | 'next' | 'place'> {
  readonly quantities: readonly DerivedQuantity[];
  /** The rows in consecutive pieces. Values are columns under the index of their quantity in `quantities`. */
  readonly parts: readonly Series[];
}

/** Computes derived quantities, such as the heat index, from observations. */
export class Derive {
  readonly #read: ReadObservations;

  constructor(read: ReadObservations) {
    this.#read = read;
  }

  /**
   * Reads one page of observations and computes the quantities of each row.
   *
   * @param input.variables names of derived quantities
   * @throws DomainError as `ReadObservations`
   */
  async execute(
    described: DescribedStation,
    input: Omit<ReadInput, 'variables'> & { readonly variables: readonly string[] },
    reader?: Reader,
  ): Promise<DerivedPage> {
    const quantities = [...new Set(input.variables)].map((name) => {
      const quantity = derivedNamed(name);
      if (quantity !== undefined) return quantity;
      const nearest = suggestion(
        name,
        DERIVED.map((candidate) => candidate.name),
      );
      throw new DomainError(
        'REQUEST_INVALID',
        `There is no derived quantity ${JSON.stringify(name)}.${nearest}`,
      );
    });
    const inputs = [...new Set(quantities.flatMap((quantity) => quantity.inputs))];
    const variables = inputs.map((number) => variableNumbered(number).name);
    const page = await this.#read.execute(described, { ...input, variables }, reader);
    const { station, from, to, next, place } = page;
    try {
      const parts: Series[] = [];
      for (const series of page.parts) {
        if (parts.length > 0) await place.turn();
        reader?.signal.throwIfAborted();
        const elevation = station.elevation ?? Number.NaN;
        const computed = quantities.map((quantity) => compute(quantity, series, elevation));
        parts.push({ times: series.times, values: new Map(computed.entries()), flags: new Map() });
      }
      return { station, from, to, next, place, quantities, parts };
    } catch (error) {
      place.leave();
      throw error;
    }
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
