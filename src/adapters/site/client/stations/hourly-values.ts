import { MILLISECONDS } from '#domain/time.js';

/** Values of the last 24 hours of a station, the oldest hour first. Null if an hour has no value. */
export interface HourlyValues {
  readonly temperature: readonly (number | null)[];
  readonly rain: readonly (number | null)[];
  readonly wind: readonly (number | null)[];
  readonly direction: readonly (number | null)[];
}

export const HOURS = 24;
export const VARIABLES = {
  temperature: 'air_temperature',
  rain: 'precipitation_amount',
  wind: 'wind_speed',
  direction: 'wind_from_direction',
} as const;

type Row = Readonly<Record<string, unknown>> & { readonly start: string };

/** Sorts the summaries of hours by their age. @param now in ms since 1970 */
export function toHourly(rows: readonly Row[], now: number): HourlyValues {
  const series = (name: keyof typeof VARIABLES) => {
    const values = Array.from({ length: HOURS }, (): number | null => null);
    for (const row of rows) {
      const age = Math.ceil((now - Date.parse(row.start)) / MILLISECONDS.hour);
      const statistics = row[VARIABLES[name]] as {
        readonly mean?: number | null;
        readonly sum?: number | null;
      };
      if (age >= 1 && age <= HOURS) values[HOURS - age] = statistics?.mean ?? statistics?.sum ?? null;
    }
    return values;
  };
  return {
    temperature: series('temperature'),
    rain: series('rain'),
    wind: series('wind'),
    direction: series('direction'),
  };
}
