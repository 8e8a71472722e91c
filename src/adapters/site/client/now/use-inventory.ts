import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Inventory } from '../api.js';
import { useSite } from '../site-context.js';
import type { Now } from './read-now.js';

/**
 * What the station has, while values come: it is read again after the first value of the station, and after the first one of a variable.
 *
 * @param first as the page was loaded
 */
export function useInventory(station: string, first: Inventory, now: Now): Inventory {
  const { api } = useSite();
  const [inventory, setInventory] = useState(first);
  const { latest, last_seen: lastSeen } = now;
  const unknown = Object.keys(latest).filter((name) => !inventory.variables.includes(name));
  const isComplete = unknown.length === 0 && (inventory.last !== null || lastSeen === null);
  useEffect(() => setInventory(first), [first]);
  useEffect(() => {
    if (isComplete) return undefined;
    const ending = new AbortController();
    api.get('/v1/stations/{id}', { path: { id: station }, signal: ending.signal }).then(
      ({ inventory: read }) => read && setInventory(read),
      // The next value is the next occasion.
      () => undefined,
    );
    return () => ending.abort();
  }, [station, isComplete, lastSeen]);
  return useMemo(() => {
    const { last } = inventory;
    return lastSeen !== null && last !== null && lastSeen > last
      ? { ...inventory, last: lastSeen }
      : inventory;
  }, [inventory, lastSeen]);
}
