import type { Text } from '../text/en.js';
import type { Forecast } from './read-forecast.js';

/** The names of providers in pages. */
const PROVIDERS: Readonly<Record<string, string>> = {
  'open-meteo': 'Open-Meteo',
  'met-norway': 'MET Norway',
};

/** The name of the provider of a forecast. A simulated forecast is called so. */
export function providerName({ provider, attribution }: Forecast['source'], { forecast }: Text): string {
  if (provider === 'simulated') return forecast.simulated;
  return PROVIDERS[provider] ?? attribution.text;
}
