import { useSite } from '../site-context.js';
import {
  shownDateOf,
  hasEarlier,
  hasLater,
  isSpan,
  shownRangeOf,
  shiftView,
  SPANS,
  type ViewContext,
  type View,
  withDate,
  withSpan,
  zoomView,
} from './model/span.js';
import { isDate, localTime } from './model/zone.js';

/** Controls for the range of the charts. */
export function Toolbar({
  view,
  context,
  onView,
}: {
  readonly view: View;
  readonly context: ViewContext;
  readonly onView: (view: View) => void;
}) {
  const { charts } = useSite().text;
  const range = shownRangeOf(view, context);
  const { first, now, zone } = context;
  return (
    <div class="chart-tools" role="toolbar" aria-label={charts.span}>
      <div class="choices">
        {SPANS.map((span) => (
          <button
            key={span}
            type="button"
            aria-pressed={isSpan(view) && view.span === span}
            onClick={() => onView(withSpan(view, span, context))}
          >
            {charts.spans[span]}
          </button>
        ))}
      </div>
      <div class="choices">
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
      <label class="chart-date">
        <span>{charts.date}</span>
        <input
          type="date"
          value={shownDateOf(view, context)}
          {...(first !== undefined && { min: localTime(first, zone).date })}
          max={localTime(now, zone).date}
          onChange={({ currentTarget: { value } }) => {
            if (isDate(value)) onView(withDate(view, value));
          }}
        />
      </label>
    </div>
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
      class="step"
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
