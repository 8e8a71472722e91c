import { useEffect, useRef, useState } from 'preact/hooks';
import { MILLISECONDS } from '#domain/time.js';
import type { ApiClient, EventQuery } from '../api.js';
import { useSite } from '../site-context.js';
import { announceChange } from './changes.js';
import { follow } from './follow.js';
import type { LiveChange } from './live-stream.js';

/** Changes within this time in ms are rendered together. */
const DRAWING = 300;

/** Describes how a page keeps its data with newest values up to date. */
export interface LiveData<Data> {
  /** Data of the first screen. */
  readonly first: Data;
  /** The query of `GET /v1/events`: `{}` for all stations, or `{ stations: 'a,b' }`. It must not change. */
  readonly scope: EventQuery;
  /** Reads the data again. @returns a function that replaces the shown data with the new data @throws WeatherdError */
  readonly read: (api: ApiClient, shown: Data) => Promise<(shown: Data) => Data>;
  /** Applies changes by station. If no change concerns the data, it must return the same object. */
  readonly merge: (data: Data, changes: ReadonlyMap<string, LiveChange>) => Data;
  /** Delay in ms between a change and reading the data again: events contain newest values, but no trends and no sums. */
  readonly reread: number;
}

/** Keeps the data of a page up to date while the page is visible. @returns the data, and a function that changes them */
export function useLive<Data>(live: LiveData<Data>): [Data, (change: (data: Data) => Data) => void] {
  const { api } = useSite();
  const [data, setData] = useState(live.first);
  // The effect runs once, so it reads the values of the newest render from this ref.
  const newest = useRef({ live, data });
  newest.current = { live, data };
  const loaded = useRef(live.first);
  useEffect(() => {
    if (loaded.current === live.first) return;
    loaded.current = live.first;
    setData(live.first);
  }, [live.first]);

  useEffect(() => {
    /** Changes since the last rendering, and changes since the start of the last reading, whose reply may not contain them. */
    let [undrawn, unread] = [new Map<string, LiveChange>(), new Map<string, LiveChange>()];
    let drawing: number | undefined;
    let rereading: number | undefined;
    const draw = (): void => {
      drawing = undefined;
      const changes = undrawn;
      undrawn = new Map();
      setData((shown) => newest.current.live.merge(shown, changes));
    };
    const reread = async (): Promise<void> => {
      clearTimeout(rereading);
      rereading = undefined;
      const since = new Map<string, LiveChange>();
      unread = since;
      const read = await newest.current.live.read(api, newest.current.data);
      // If a later reading has started, this reply is ignored.
      if (unread === since) setData((shown) => newest.current.live.merge(read(shown), since));
    };
    const changed = (change: LiveChange): void => {
      const { station, from, to } = change;
      announceChange({ station, range: { from: Date.parse(from), to: Date.parse(to) } });
      undrawn.set(change.station, change);
      unread.set(change.station, change);
      drawing ??= window.setTimeout(draw, DRAWING);
      rereading ??= window.setTimeout(() => void reread().catch(() => undefined), newest.current.live.reread);
    };
    const onMissed = (): Promise<void> => {
      announceChange({});
      return reread();
    };
    const end = follow(api, newest.current.live.scope, { changed, reread: onMissed });
    return () => {
      end();
      clearTimeout(drawing);
      clearTimeout(rereading);
    };
  }, [api]);
  return [data, setData];
}

type WithNewest = Pick<LiveChange, 'last_seen' | 'latest'> & {
  readonly units: Readonly<Record<string, string>>;
};

/**
 * Keeps the newest values of a station up to date.
 *
 * @param read reads all of `first` again
 */
export function useLiveStation<Data extends WithNewest>(
  id: string,
  first: Data,
  read: (api: ApiClient) => Promise<Data>,
): Data {
  const [data] = useLive<Data>({
    first,
    scope: { stations: id },
    read: async (api) => {
      const newData = await read(api);
      return () => newData;
    },
    merge: (shown, changes) => {
      const change = changes.get(id);
      if (change === undefined) return shown;
      // Events contain no units. The first value of a new variable is shown after its unit has been read.
      const withUnits = Object.entries(change.latest).filter(([name]) => name in shown.units);
      if (withUnits.length === 0) return shown;
      return { ...shown, latest: Object.fromEntries(withUnits), last_seen: change.last_seen };
    },
    reread: MILLISECONDS.second,
  });
  return data;
}
