import { useEffect, useRef, useState } from 'preact/hooks';
import { MILLISECONDS } from '#domain/time.js';
import type { Station } from '../api.js';
import type { Now } from '../now/read-now.js';
import { useSite } from '../site-context.js';
import { ribbonDataOf, withoutWind } from './ribbon-data.js';
import { type RibbonBox, ribbonModel } from './ribbon-model.js';
import { pagePaint, scaledPaint } from './paint.js';
import { Ribbon } from './ribbon.js';
import { useRibbonFormat } from './use-ribbon-format.js';

/** The picture of the last 24 hours and of the forecast without a cursor, as large as its place: for the kiosk and for the card of other sites. */
export function FittedRibbon({
  station,
  now,
  first,
  isOld,
  hasWind = true,
}: {
  readonly station: Station;
  readonly now: Now;
  /** The size until the page knows the size of the place. */
  readonly first: RibbonBox;
  /** Whether the page shows a time of the past, which needs no mark of the current time. */
  readonly isOld: boolean;
  readonly hasWind?: boolean;
}) {
  const { text, now: time } = useSite();
  const format = useRibbonFormat(station.time_zone);
  const host = useRef<HTMLDivElement>(null);
  const [box, setBox] = useState(first);
  useEffect(() => {
    const element = host.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      const { width = 0, height = 0 } = entry?.contentRect ?? {};
      // In a place with little room, smaller type leaves room for the lines.
      const type = Math.min(Number.parseFloat(getComputedStyle(element).fontSize), width / 8, height / 11);
      const gutter = first.gutter > 0 && width >= type * 40 ? Math.round(type * 3.5) : 0;
      if (type > 0) setBox({ width, height, type, gutter });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const minute = Math.floor(time / MILLISECONDS.minute) * MILLISECONDS.minute;
  const data = ribbonDataOf(station, now, minute, isOld);
  if (data === undefined || (data.temperature === undefined && data.hours.length === 0)) return null;
  const shown = hasWind ? data : withoutWind(data);
  return (
    <div
      class="fitted-ribbon"
      ref={host}
      role="img"
      aria-label={data.forecast ? text.ribbon.labelAhead : text.ribbon.label}
    >
      <Ribbon
        model={ribbonModel(shown, box, format)}
        id="ribbon"
        paint={scaledPaint(pagePaint, box.type / 14)}
      />
    </div>
  );
}
