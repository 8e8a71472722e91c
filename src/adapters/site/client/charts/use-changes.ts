import { useEffect, useRef } from 'preact/hooks';
import { MILLISECONDS } from '#domain/time.js';
import { onChange } from '../live/changes.js';
import { affectsRange, isNewestRow, readDelay } from './model/changes.js';
import type { ShownRange } from './model/span.js';

/**
 * If the event stream opens within this time in ms after a reading, the data are not read again, because hardly any change can be
 * missing. Without this rule, each new page would read its data twice.
 */
const FRESH = 10 * MILLISECONDS.second;

/**
 * Calls `read` after observations in the range have changed, at most once a minute. A new row at the end is no reason: it is drawn
 * from the event.
 *
 * @param lastTime time of the last drawn row in ms since 1970; undefined if events cannot be drawn, because a step is longer
 */
export function useChanges(
  station: string,
  range: ShownRange,
  follows: boolean,
  lastTime: number | undefined,
  read: () => void,
): void {
  const latestProps = useRef({ range, follows, lastTime, read });
  latestProps.current = { range, follows, lastTime, read };
  const opened = useRef(0);
  useEffect(() => {
    opened.current = Date.now();
  }, [range.from, range.to]);
  useEffect(() => {
    let timer: number | undefined;
    let lastRead = 0;
    const unsubscribe = onChange((changed) => {
      const { range: shown, follows: isLive, lastTime: last } = latestProps.current;
      if (changed.station !== undefined && changed.station !== station) return;
      if (changed.range === undefined && Date.now() - opened.current < FRESH) return;
      if (!affectsRange(changed.range, shown, isLive) || isNewestRow(changed.range, last, isLive)) return;
      timer ??= window.setTimeout(
        () => {
          timer = undefined;
          lastRead = Date.now();
          latestProps.current.read();
        },
        readDelay(Date.now() - lastRead),
      );
    });
    return () => {
      unsubscribe();
      clearTimeout(timer);
    };
  }, [station]);
}
