import { DomainError } from '#domain/domain-error.js';
import { quoted } from '#domain/quoted.js';
import type { ForecastProvider } from '../ports/forecast-provider.js';

/** The providers of forecasts by name. */
export class ForecastProviders {
  readonly list: readonly ForecastProvider[];

  constructor(list: readonly ForecastProvider[]) {
    this.list = list;
  }

  /** The provider of a stored order; undefined if this version does not know it. */
  find(name: string): ForecastProvider | undefined {
    return this.list.find((provider) => provider.name === name);
  }

  /** A provider that can be used. @throws DomainError REQUEST_INVALID */
  named(name: string): ForecastProvider {
    const found = this.find(name);
    if (found === undefined)
      throw new DomainError(
        'REQUEST_INVALID',
        `${quoted(name)} is not a provider of forecasts. The providers are ${this.list.map((one) => one.name).join(', ')}.`,
      );
    if (found.fault !== undefined) throw new DomainError('REQUEST_INVALID', found.fault);
    return found;
  }
}
