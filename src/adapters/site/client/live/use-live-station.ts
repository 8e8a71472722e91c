import { useEffect } from 'preact/hooks';
import type { ApiClient } from '../api.js';
import { useSite } from '../site-context.js';
import { useNow } from './clock.js';
import { readOrReload } from './read-or-reload.js';
import { hoursAfterDay, needsReading, type ShownStation, withChange } from './shown-station.js';
import { useLive } from './use-live.js';

/** Keeps the newest values of a station up to date. @param read reads all data again, in the form of `first` */
export function useLiveStation<Data extends ShownStation>(
  id: string,
  first: Data,
  read: (api: ApiClient) => Promise<Data>,
): Data {
  const { api, reload } = useSite();
  const now = useNow();
  const [data, change] = useLive<Data>({
    first,
    scope: { stations: id, include: 'today,trend,rain,derived,alarms' },
    read: async (reader) => {
      const newData = await readOrReload(() => read(reader), reload);
      return () => newData;
    },
    merge: (shown, changes) => {
      const newest = changes.get(id);
      return newest === undefined ? shown : withChange(shown, newest);
    },
    needsReading,
    hasForecast: true,
  });
  // A station that sends nothing has no event after its midnight.
  const overdue = hoursAfterDay(data.today, now);
  useEffect(() => {
    if (overdue < 0) return;
    readOrReload(() => read(api), reload).then(
      (newData) => change((shown) => (hoursAfterDay(shown.today, now) < 0 ? shown : newData)),
      () => undefined,
    );
  }, [overdue]);
  return data;
}
