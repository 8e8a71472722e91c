import type { ComponentProps } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { MILLISECONDS } from '#domain/time.js';
import { targetOf } from '../api.js';
import type { Charts } from '../charts/charts.js';
import { instantText } from '../charts/model/span.js';
import { Fault } from '../parts/fault.js';
import { usePart } from '../parts/use-part.js';
import { useSite } from '../site-context.js';

type Props = ComponentProps<typeof Charts>;

/** Distance from the visible part of the page at which the charts are loaded. */
const NEAR = '600px';
/** Length in ms of the span of the values for visitors without JavaScript. */
const WITHOUT_SCRIPT = 7 * MILLISECONDS.day;
/** Time in ms after which the charts are loaded even if the browser is busy. */
const LATEST = 2000;

/**
 * The charts, which are loaded when the visitor scrolls near them, or when the browser is idle. Their library is not part of the first
 * scripts. A box is reserved for them, so that nothing in the window moves when they come.
 */
export function LazyCharts(props: Props) {
  const { text, now } = useSite();
  const box = useRef<HTMLDivElement>(null);
  const { module, fault, begin, retry } = usePart(() => import('../charts/charts.js'));
  useEffect(() => {
    let isStarted = false;
    const start = (): void => {
      if (!isStarted) begin();
      isStarted = true;
    };
    const near = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && start(),
      { rootMargin: NEAR },
    );
    if (box.current !== null) near.observe(box.current);
    const idle =
      'requestIdleCallback' in window ? requestIdleCallback(start, { timeout: LATEST }) : undefined;
    const timer = idle === undefined ? setTimeout(start, LATEST) : undefined;
    return () => {
      near.disconnect();
      if (idle !== undefined) cancelIdleCallback(idle);
      clearTimeout(timer);
    };
  }, []);
  const last = Date.parse(props.inventory.last ?? new Date(now).toISOString());
  const address = targetOf('/v1/stations/{id}/observations', {
    path: { id: props.station.id },
    query: { from: instantText(last - WITHOUT_SCRIPT), format: 'csv' },
  });
  return (
    <div class="charts-box needs-script" ref={box}>
      {module && <module.Charts {...props} />}
      {fault !== undefined && <Fault error={fault} retry={retry} />}
      <noscript>
        <p>
          {text.charts.withoutScript} <a href={address}>{text.charts.download.csv}</a>
        </p>
      </noscript>
    </div>
  );
}
