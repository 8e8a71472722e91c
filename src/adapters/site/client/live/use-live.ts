import { useEffect, useRef, useState } from 'preact/hooks';
import { MILLISECONDS } from '#domain/time.js';
import type { ApiClient, EventQuery } from '../api.js';
import { useSite } from '../site-context.js';
import { announceChange } from './changes.js';
import { follow } from './follow.js';
import type { LiveChange } from './live-stream.js';

/** Changes within this time in ms are rendered together. */
const DRAWING = 300;
/** Delay in ms between a change and a reading that the change needs, and shortest time between two such readings. */
const [SOON, AT_MOST_EACH] = [MILLISECONDS.second, MILLISECONDS.minute];
/**
 * Delay in ms between a change and the next reading of the data. The shown data come from events. Only a reading updates what changes
 * slowly, such as the comparison of the last 24 hours with the usual values.
 */
const REREAD = MILLISECONDS.hour;

/** Describes how a page keeps its newest values up to date. */
export interface LiveData<Data> {
  /** The data with which the server has drawn the page. */
  readonly first: Data;
  /**
   * The query of `GET /v1/events`: `{}` for all stations, or `{ stations: 'a,b' }`. The query must not change while the page is
   * shown.
   */
  readonly scope: EventQuery;
  /** Reads the data again. @returns a function that replaces the shown data with the new data @throws WeatherdError */
  readonly read: (api: ApiClient, shown: Data) => Promise<(shown: Data) => Data>;
  /** Applies changes by station. If no change concerns the data, `merge` must return the object `data` itself. */
  readonly merge: (data: Data, changes: ReadonlyMap<string, LiveChange>) => Data;
  /** Whether the data include a forecast, so that they are read again after a new one. */
  readonly hasForecast?: boolean;
  /** Whether the shown data are wrong after a change until they are read again, because its event does not contain enough. */
  readonly needsReading?: (data: Data, change: LiveChange) => boolean;
}

/** Keeps the data of a page up to date while the page is visible. @returns the data, and a function that changes the data */
export function useLive<Data>(live: LiveData<Data>): [Data, (change: (data: Data) => Data) => void] {
  const { api } = useSite();
  const [data, setData] = useState(live.first);
  // The effect runs only once. It reads the values of the newest render from this ref.
  const newest = useRef({ live, data });
  newest.current = { live, data };
  const loaded = useRef(live.first);
  useEffect(() => {
    if (loaded.current === live.first) return;
    loaded.current = live.first;
    setData(live.first);
  }, [live.first]);

  useEffect(() => {
    /**
     * `undrawn` contains the changes since the last rendering. `unread` contains the changes since the start of the last reading,
     * because the reply of this reading may not contain these changes.
     */
    let [undrawn, unread] = [new Map<string, LiveChange>(), new Map<string, LiveChange>()];
    let drawing: number | undefined;
    let rereading: { readonly timer: number; readonly at: number } | undefined;
    let lastRead = -Infinity;
    const rereadAt = (at: number): void => {
      if (rereading !== undefined && rereading.at <= at) return;
      clearTimeout(rereading?.timer);
      const timer = window.setTimeout(
        () => void reread().catch(() => undefined),
        Math.max(0, at - Date.now()),
      );
      rereading = { timer, at };
    };
    const draw = (): void => {
      drawing = undefined;
      const changes = undrawn;
      undrawn = new Map();
      setData((shown) => newest.current.live.merge(shown, changes));
    };
    const reread = async (): Promise<void> => {
      clearTimeout(rereading?.timer);
      rereading = undefined;
      lastRead = Date.now();
      const since = new Map<string, LiveChange>();
      unread = since;
      const read = await newest.current.live.read(api, newest.current.data);
      // The reply is ignored if a later reading has started.
      if (unread === since) setData((shown) => newest.current.live.merge(read(shown), since));
    };
    const changed = (change: LiveChange): void => {
      const { station, from, to } = change;
      announceChange({ station, range: { from: Date.parse(from), to: Date.parse(to) } });
      undrawn.set(change.station, change);
      unread.set(change.station, change);
      drawing ??= window.setTimeout(draw, DRAWING);
      if (newest.current.live.needsReading?.(newest.current.data, change) === true) readSoon();
      else rereadAt(Date.now() + REREAD);
    };
    const readSoon = (): void => {
      rereadAt(Math.max(Date.now() + SOON, lastRead + AT_MOST_EACH));
    };
    const onMissed = (): Promise<void> => {
      announceChange({});
      return reread();
    };
    const end = follow(api, newest.current.live.scope, {
      changed,
      forecast: () => newest.current.live.hasForecast === true && readSoon(),
      reread: onMissed,
    });
    return () => {
      end();
      clearTimeout(drawing);
      clearTimeout(rereading?.timer);
    };
  }, [api]);
  return [data, setData];
}
