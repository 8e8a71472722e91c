import type { PublishedState } from '#application/ports/state-publisher.js';
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
