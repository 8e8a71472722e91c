import { DomainError } from '#domain/domain-error.js';
import type { Station } from '#domain/weather/station.js';
import type { Calendar } from './ports/calendar.js';

/** The name of the requested time zone. @param timeZone `station`, `UTC`, an IANA name, or an offset (`-03:30`) */
export function usedZone(station: Station, timeZone = 'station'): string {
  return timeZone === 'station' ? station.timeZone : timeZone;
}

/** The name of the requested time zone, after a check. @throws DomainError REQUEST_INVALID for a name that is not a time zone */
export function zoneOf(calendar: Calendar, station: Station, timeZone = 'station'): string {
  if (timeZone === 'station' || calendar.hasZone(timeZone)) return usedZone(station, timeZone);
  throw new DomainError(
    'REQUEST_INVALID',
    `There is no time zone ${JSON.stringify(timeZone)}: use a name such as Europe/Paris or an offset such as +01:00.`,
  );
}
