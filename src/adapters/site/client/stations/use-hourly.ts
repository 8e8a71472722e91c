import { useEffect, useState } from 'preact/hooks';
import { MILLISECONDS } from '#domain/time.js';
import type { ApiClient } from '../api.js';
import { currentTime } from '../live/server-clock.js';
import { useSite } from '../site-context.js';
import { type HourlyValues, toHourly, VARIABLES } from './hourly-values.js';

/** Largest number of stations in a request; the API allows no more. */
const MAX_STATIONS = 100;
/** Values are read again after this time. */
const REREAD = 10 * MILLISECONDS.minute;

/**
 * Reads the last 24 hours of stations: temperatures for the list, or all variables of the map.
 *
 * @param ids the stations; at most `limit` of them are read, with one request for 100 stations
 */
export function useHourly(
  ids: readonly string[],
  wanted: 'temperature' | 'all' | undefined,
  limit = MAX_STATIONS,
): ReadonlyMap<string, HourlyValues> {
  const { api } = useSite();
  const [values, setValues] = useState<ReadonlyMap<string, HourlyValues>>(new Map());
  const shown = ids.slice(0, limit);
  // Sorted, because new values change the order of the list, but not the hours of its stations.
  const key = wanted && [wanted, ...shown.toSorted()].join(' ');
  useEffect(() => {
    if (key === undefined) return undefined;
    const stop = new AbortController();
    const variables = wanted === 'all' ? Object.values(VARIABLES).join() : VARIABLES.temperature;
    const read = async (): Promise<void> => {
      for (let start = 0; start < shown.length; start += MAX_STATIONS) {
        const some = shown.slice(start, start + MAX_STATIONS);
        const found = await readHourly(api, some, variables, stop.signal);
        if (stop.signal.aborted) return;
        setValues((before) => new Map([...before, ...found]));
      }
    };
    // Typing into the filter changes the stations quickly.
    const starting = setTimeout(() => void read().catch(() => undefined), 200);
    const repeating = setInterval(() => {
      if (!document.hidden) void read().catch(() => undefined);
    }, REREAD);
    return () => {
      stop.abort();
      clearTimeout(starting);
      clearInterval(repeating);
    };
  }, [key]);
  return values;
}

async function readHourly(
  api: ApiClient,
  ids: readonly string[],
  variables: string,
  signal: AbortSignal,
): Promise<readonly (readonly [string, HourlyValues])[]> {
  const query = {
    interval: 'hour',
    last: '24h',
    fields: 'mean,sum',
    stations: ids.join(),
    variables,
  } as const;
  const { stations } = await api.get('/v1/summaries', { query, signal });
  const now = currentTime();
  return stations.map(({ station, summaries }) => [station, toHourly(summaries, now)]);
}
