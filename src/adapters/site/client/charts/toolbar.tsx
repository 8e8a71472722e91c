import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useSite } from '../site-context.js';
import { Menu } from '../parts/menu.js';
import {
  hasEarlier,
  hasLater,
  isSpan,
  type ShownRange,
  shiftView,
  SPANS,
  type View,
  type ViewContext,
  viewOfDates,
  withSpan,
  zoomView,
} from './model/span.js';
import { isDate, localTime } from './model/zone.js';

/** A part of the charts that the visitor can switch off and on. */
export interface ChartSwitch {
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

/** Controls for the range of the charts. They stay at the top of the window while the charts are scrolled. */
export function Toolbar({
  view,
  range,
  context,
  rangeText,
  switches,
  onView,
  onSpan,
  children,
}: {
  readonly view: View;
  readonly range: ShownRange;
  readonly context: ViewContext;
  readonly rangeText: string;
  readonly switches: readonly ChartSwitch[];
  readonly onView: (view: View) => void;
  readonly onSpan: (view: View) => void;
  /** Further buttons, at the end. */
  readonly children: ComponentChildren;
}) {
  const { charts } = useSite().text;
  /** Whether the other controls are shown in a narrow window. */
  const [isOpen, setOpen] = useState(false);
  return (
    <div class={`chart-tools${isOpen ? ' is-open' : ''}`} role="toolbar" aria-label={charts.span}>
      <div class="segments chart-spans">
        {SPANS.map((span) => (
          <button
            key={span}
            type="button"
            aria-pressed={isSpan(view) && view.span === span}
            onClick={() => onSpan(withSpan(view, span, context))}
          >
            {charts.spans[span]}
          </button>
        ))}
      </div>
      <button
        type="button"
        class="chart-more"
        aria-label={charts.more}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        …
      </button>
      <div class="chart-steps">
        <Step
          label={charts.earlier}
          path="M15 4 7 12l8 8"
          isOff={!hasEarlier(range, context)}
          onStep={() => onView(shiftView(view, -1, context))}
        />
        <Step
          label={charts.later}
          path="M9 4l8 8-8 8"
          isOff={!hasLater(range, context)}
          onStep={() => onView(shiftView(view, 1, context))}
        />
        <Step
          label={charts.zoomIn}
          path="M12 4v16M4 12h16"
          isOff={false}
          onStep={() => onView(zoomView(view, 1 / 2, context))}
        />
        <Step
          label={charts.zoomOut}
          path="M4 12h16"
          isOff={false}
          onStep={() => onView(zoomView(view, 2, context))}
        />
      </div>
      <Menu name="chart-dates" label={rangeText}>
        <Dates {...{ range, context, onView }} />
      </Menu>
      <div class="chart-options">
        {switches.map(({ label, isOn, onChange }) => (
          <label key={label} class="chart-switch">
            <input
              type="checkbox"
              role="switch"
              checked={isOn}
              onChange={({ currentTarget: { checked } }) => onChange(checked)}
            />
            {label}
          </label>
        ))}
        {children}
      </div>
    </div>
  );
}

/** Two dates, between which the charts show all days. */
function Dates({
  range,
  context,
  onView,
}: {
  readonly range: ShownRange;
  readonly context: ViewContext;
  readonly onView: (view: View) => void;
}) {
  const { charts } = useSite().text;
  const { zone, first, now } = context;
  const limits = {
    ...(first !== undefined && { min: localTime(first, zone).date }),
    max: localTime(now, zone).date,
  };
  const [from, to] = [localTime(range.from, zone).date, localTime(range.to - 1, zone).date];
  return (
    <form
      key={`${from} ${to}`}
      onSubmit={(event) => {
        event.preventDefault();
        const data = new FormData(event.currentTarget);
        const dates = [data.get('from'), data.get('to')].map(String).filter((date) => isDate(date));
        const [start, end] = dates.toSorted();
        if (start === undefined || end === undefined) return;
        onView(viewOfDates(start, end, context));
        event.currentTarget.closest('details')?.removeAttribute('open');
      }}
    >
      <label>
        <span>{charts.dates.from}</span>
        <input type="date" name="from" value={from} required {...limits} />
      </label>
      <label>
        <span>{charts.dates.to}</span>
        <input type="date" name="to" value={to} required {...limits} />
      </label>
      <button type="submit">{charts.dates.show}</button>
    </form>
  );
}

function Step({
  label,
  path,
  isOff,
  onStep,
}: {
  readonly label: string;
  /** SVG path of the icon in a box of 24 × 24. */
  readonly path: string;
  readonly isOff: boolean;
  readonly onStep: () => void;
}) {
  // An inactive button must keep the focus, so it has `aria-disabled` instead of `disabled`.
  return (
    <button
      type="button"
      class="chart-step"
      aria-label={label}
      title={label}
      aria-disabled={isOff}
      onClick={() => {
        if (!isOff) onStep();
      }}
    >
      <svg width="16" height="16" viewBox="0 0 24 24" aria-hidden="true">
        <path d={path} fill="none" stroke="currentColor" stroke-width="3" />
      </svg>
    </button>
  );
}
