import type { Section } from './sections.js';
import type { ChosenUnits } from './units.js';
import type { ReplyZone } from './zone.js';

/** What a reply says of one place: the station that answers, and its sections. */
export interface LocationReply {
  /** The number of the place. */
  readonly id: number;
  /** The position of the station, in degrees. */
  readonly latitude: number;
  readonly longitude: number;
  /** Meters above sea level; null if unknown. */
  readonly elevation: number | null;
  readonly zone: ReplyZone;
  readonly sections: readonly Section[];
  /** Milliseconds that the values took. */
  readonly generationTime: number;
  readonly units: ChosenUnits;
  /** Whether the section `current` was asked for, and whether the old section `current_weather` was. */
  readonly showsCurrent: boolean;
  readonly showsCurrentWeather: boolean;
}

/**
 * A time as a reply has it: without a zone, by the clock of the reply.
 *
 * @param time milliseconds since 1970-01-01T00:00:00Z
 * @param isDate whether only the date is shown
 */
export function localText(time: number, { offset }: ReplyZone, isDate: boolean): string {
  return new Date(time + offset * 1000).toISOString().slice(0, isDate ? 10 : 16);
}
