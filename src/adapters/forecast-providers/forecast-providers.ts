import type { ForecastProvider } from '#application/ports/forecast-provider.js';
import { metNorway } from './met-norway.js';
import { openMeteo } from './open-meteo.js';
import type { ProviderSettings } from './provider-settings.js';

/** The providers of forecasts. */
export function forecastProviders(settings: ProviderSettings): readonly ForecastProvider[] {
  return [openMeteo(settings), metNorway(settings)];
}
