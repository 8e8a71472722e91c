import type { ReadonlySignal } from '@preact/signals-core';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useSignal } from '../live/use-signal.js';
import { useSite } from '../site-context.js';
import { rowsAt, titleAt } from './describe.js';
import type { Cursor, ShownChart } from './shown-chart.js';
import type { ChartFormat } from './chart-format.js';

/** Distance of the tooltip from the cursor, in pixels. */
const DISTANCE = 16;
/** The tooltip contains the chart of the cursor and this number of the first charts. */
const FIRST_CHARTS = 4;

/** The values of the charts at the cursor, beside the cursor. Screen readers get the same values from the live region. */
export function Tooltip({
  charts,
  cursor,
  format,
}: {
  readonly charts: readonly ShownChart[];
  readonly cursor: ReadonlySignal<Cursor | undefined>;
  readonly format: ChartFormat;
}) {
  const { text } = useSite();
  const now = useSignal(cursor);
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (now !== undefined && box.current !== null) place(box.current, now);
  });
  const own = charts.find(({ quantity }) => quantity.id === now?.chart);
  if (now === undefined || own === undefined) return null;
  const shown = charts.filter((chart, number) => number < FIRST_CHARTS || chart === own);
  return (
    <div class="chart-tooltip" ref={box} aria-hidden="true">
      <p>{titleAt(own, now.time, format, text)}</p>
      <table>
        <tbody>
          {shown.flatMap((chart) =>
            rowsAt(chart, now.time, format, text).map(({ ink, name, value }) => (
              <tr key={`${chart.quantity.id} ${name}`} class={ink === undefined ? 'quiet' : ''}>
                <th scope="row">
                  <span class={`chart-key${ink === undefined ? '' : ` ink-${ink}`}`} />
                  {name}
                </th>
                <td>{value}</td>
              </tr>
            )),
          )}
        </tbody>
      </table>
    </div>
  );
}

/** Moves the tooltip beside the cursor: to the side with more room, and into the window. */
function place(box: HTMLElement, { chart, top }: Cursor): void {
  const line = document.querySelector(`#chart-${CSS.escape(chart)} .chart-cursor path`);
  const parent = box.offsetParent;
  if (line === null || parent === null) return;
  const [at, around] = [line.getBoundingClientRect(), parent.getBoundingClientRect()];
  const { offsetWidth: width, offsetHeight: height } = box;
  const isLeft = at.left + DISTANCE + width > Math.min(innerWidth, around.right);
  const left = isLeft ? at.left - DISTANCE - width : at.left + DISTANCE;
  const wanted = (top ?? at.top) + DISTANCE;
  const y = Math.max(8, Math.min(wanted, innerHeight - height - 8));
  const x = Math.max(8, Math.min(left, innerWidth - width - 8));
  box.style.transform = `translate(${Math.round(x - around.left)}px, ${Math.round(y - around.top)}px)`;
}
