import { useEffect, useRef } from 'preact/hooks';
import { MILLISECONDS } from '#domain/time.js';
import { onChange } from '../live/changes.js';
import { affectsRange, readDelay } from './model/changes.js';
import type { ShownRange } from './model/span.js';

/**
 * If the event stream opens within this time in ms after a reading, the data are not read again, because hardly any change can be
 * missing. Without this rule, each new page would read its data twice.
 */
const FRESH = 10 * MILLISECONDS.second;

/** Calls `read` with a delay after observations in the range have changed. */
export function useChanges(station: string, range: ShownRange, follows: boolean, read: () => void): void {
  const latestProps = useRef({ range, follows, read });
  latestProps.current = { range, follows, read };
  const lastRead = useRef(0);
  useEffect(() => {
    lastRead.current = Date.now();
  }, [range.from, range.to]);
  useEffect(() => {
    let timer: number | undefined;
    const unsubscribe = onChange((changed) => {
      const { range: shown, follows: isLive } = latestProps.current;
      if (changed.station !== undefined && changed.station !== station) return;
      if (changed.range === undefined && Date.now() - lastRead.current < FRESH) return;
      if (!affectsRange(changed.range, shown, isLive)) return;
      timer ??= window.setTimeout(() => {
        timer = undefined;
        latestProps.current.read();
      }, readDelay(shown));
    });
    return () => {
      unsubscribe();
      clearTimeout(timer);
    };
  }, [station]);
}
