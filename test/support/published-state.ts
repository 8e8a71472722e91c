import type { PublishedForecast, PublishedState } from '#application/ports/state-publisher.js';
import { FORECAST_QUANTITIES } from '#application/publishing/published-forecasts.js';
import { STATION } from './weather-world.js';

export interface StateChanges extends Partial<Omit<PublishedState, 'station' | 'values'>> {
  readonly name?: string;
  readonly values?: Readonly<Record<string, number | null>>;
}

/** A state of a station as `PublishStates` makes it. */
export function publishedState(
  id: string,
  { name = id, values = { air_temperature: 3.4 }, ...changes }: StateChanges = {},
): PublishedState {
  return {
    station: { ...STATION, id, name, number: 1 },
    plainId: id,
    time: Date.UTC(2026, 0, 31, 12),
    values: Object.entries(values).map(([quantity, value]) => ({ name: quantity, value })),
    isSilent: false,
    maxAge: 900,
    ...changes,
  };
}

/** A forecast as `PublishStates` makes it. Its values are 0, 1, 2 and so on. */
export function publishedForecast(changes: Partial<PublishedForecast> = {}): PublishedForecast {
  return {
    issued: Date.UTC(2026, 0, 31, 11),
    provider: 'open-meteo',
    attribution: 'Weather data by Open-Meteo.com, https://open-meteo.com/',
    isSimulated: false,
    values: FORECAST_QUANTITIES.map((name, value) => ({ name, value })),
    maxAge: 172_800,
    ...changes,
  };
}
