import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { dateText } from '#domain/weather/climate/climate-days.js';
import { useOpenDay } from './use-open-day.js';
import { useUsualText } from './text.js';

/** What the read-out of a day says. */
export interface DayWords {
  readonly title: string;
  readonly lines: readonly string[];
}

/** Width of the read-out in px, as in the style sheet. */
const TIP_WIDTH = 232;

/**
 * A picture whose marks are days. The pointer or the arrow keys choose a day, which is described beside it. A click or Enter opens
 * the day in the charts. With a finger, the first tap chooses the day and the second tap opens it.
 */
export function DayFigure({
  name,
  label,
  width,
  startDay,
  move,
  dayAt,
  positionOf,
  describe,
  children,
}: {
  /** Class of the figure. */
  readonly name: string;
  readonly label: string;
  readonly width: number;
  /** The day that the first arrow key chooses. */
  readonly startDay: number;
  /** The day after a key; undefined if the key does not move the cursor. */
  readonly move: (day: number, key: string) => number | undefined;
  /** The day at a position in px. */
  readonly dayAt: (x: number, y: number) => number | undefined;
  /** The position of the read-out of a day in px. */
  readonly positionOf: (day: number) => { readonly x: number; readonly y: number };
  readonly describe: (day: number) => DayWords;
  readonly children: (cursor: number | undefined) => ComponentChildren;
}) {
  const usual = useUsualText();
  const open = useOpenDay();
  const [cursor, setCursor] = useState<number>();
  const [isTouch, setTouch] = useState(false);
  const at = (event: PointerEvent | MouseEvent) => {
    // The name of a day stands beside its mark, and means this day.
    const named = (event.target as Element).closest<SVGElement>('[data-day]');
    if (named !== null) return Number(named.dataset['day']);
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    return dayAt(event.clientX - box.left, event.clientY - box.top);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && cursor !== undefined) {
      open(dateText(cursor));
      return;
    }
    if (event.key === 'Escape') setCursor(undefined);
    const next = move(cursor ?? startDay, event.key);
    if (next === undefined) return;
    event.preventDefault();
    setTouch(false);
    setCursor(cursor === undefined && event.key.startsWith('Arrow') ? startDay : next);
  };
  const onClick = (event: MouseEvent) => {
    const day = at(event);
    const isFinger = (event as PointerEvent).pointerType === 'touch';
    setTouch(isFinger);
    if (day !== undefined && (!isFinger || day === cursor)) open(dateText(day));
    else setCursor(day);
  };
  const words = cursor === undefined ? undefined : describe(cursor);
  return (
    <figure
      class={`day-figure ${name}`}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      aria-label={`${label}. ${usual.day.keys}`}
      onKeyDown={onKeyDown}
      onClick={onClick}
      onPointerMove={(event) => {
        if (event.pointerType !== 'touch') setCursor(at(event));
      }}
      onPointerLeave={(event) => {
        if (event.pointerType !== 'touch') setCursor(undefined);
      }}
      onBlur={() => setCursor(undefined)}
    >
      {children(cursor)}
      <figcaption
        class={words === undefined ? 'hidden' : 'day-tip'}
        aria-live="polite"
        style={cursor === undefined ? undefined : tipPosition(positionOf(cursor), width)}
      >
        {words !== undefined && (
          <>
            <strong>{words.title}</strong>
            {words.lines.map((line) => (
              <span key={line}>{line}</span>
            ))}
            {isTouch && <span class="quiet">{usual.day.tap}</span>}
          </>
        )}
      </figcaption>
    </figure>
  );
}

/** The read-out stands above its day, and inside of the figure. */
function tipPosition({ x, y }: { readonly x: number; readonly y: number }, width: number) {
  const left = Math.max(0, Math.min(x - TIP_WIDTH / 2, width - TIP_WIDTH));
  return { left: `${left}px`, top: `${y}px` };
}
