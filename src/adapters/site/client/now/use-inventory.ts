import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Inventory } from '../api.js';
import { useSite } from '../site-context.js';
import type { Now } from './read-now.js';

/**
 * The inventory of a station, kept up to date while new values arrive. The inventory lists the variables of the station and the
 * times of the first and last observation. It is read again after the first value of the station, and after the first value of a
 * new variable.
 *
 * @param first inventory of the first screen
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
    const controller = new AbortController();
    api.get('/v1/stations/{id}', { path: { id: station }, signal: controller.signal }).then(
      ({ inventory: read }) => read && setInventory(read),
      // The error is ignored, because the next value of the station starts the next attempt.
      () => undefined,
    );
    return () => controller.abort();
  }, [station, isComplete, lastSeen]);
  return useMemo(() => {
    const { last } = inventory;
    return lastSeen !== null && last !== null && lastSeen > last
      ? { ...inventory, last: lastSeen }
      : inventory;
  }, [inventory, lastSeen]);
}
