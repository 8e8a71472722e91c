import { useEffect, useRef } from 'preact/hooks';
import { MILLISECONDS } from '#domain/time.js';
import { onChange } from '../live/changes.js';
import { concerns, pollingPause } from './model/changes.js';
import type { ShownRange } from './model/span.js';

/**
 * A stream that opens within this time in ms after a reading causes no second reading: hardly any change can be missing. Otherwise
 * each page would read its data twice.
 */
const FRESH = 10 * MILLISECONDS.second;

/** Calls `read` with a delay after observations in the range have changed. */
export function useChanges(station: string, range: ShownRange, follows: boolean, read: () => void): void {
  const newest = useRef({ range, follows, read });
  newest.current = { range, follows, read };
  const begun = useRef(0);
  useEffect(() => {
    begun.current = Date.now();
  }, [range.from, range.to]);
  useEffect(() => {
    let timer: number | undefined;
    const end = onChange((changed) => {
      const { range: shown, follows: isLive } = newest.current;
      if (changed.station !== undefined && changed.station !== station) return;
      if (changed.range === undefined && Date.now() - begun.current < FRESH) return;
      if (!concerns(changed.range, shown, isLive)) return;
      timer ??= window.setTimeout(() => {
        timer = undefined;
        newest.current.read();
      }, pollingPause(shown));
    });
    return () => {
      end();
      clearTimeout(timer);
    };
  }, [station]);
}
