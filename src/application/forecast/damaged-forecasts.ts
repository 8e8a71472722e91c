import { DomainError } from '#domain/domain-error.js';
import { quoted } from '#domain/quoted.js';

/**
 * The error of a read that needs a damaged record of forecasts. Records know the number of a station only, so `namingDamage` replaces it
 * with the id.
 */
export class DamagedForecasts extends DomainError {
  readonly #sentence: (station: string) => string;

  /** @param sentence about a station, for the user @param station `Station.number` */
  constructor(sentence: (station: string) => string, station: number) {
    super('DATA_DAMAGED', sentence(`number ${station}`));
    this.#sentence = sentence;
  }

  named(id: string): DomainError {
    return new DomainError('DATA_DAMAGED', this.#sentence(quoted(id)));
  }
}

/** Names the station in the error of a damaged record. @param id of the station @throws DomainError DATA_DAMAGED; errors of `work` */
export async function namingDamage<T>(id: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof DamagedForecasts ? error.named(id) : error;
  }
}

/** The result of a read; undefined if it needs a damaged record of forecasts. */
export async function unlessDamaged<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof DamagedForecasts) return undefined;
    throw error;
  }
}
