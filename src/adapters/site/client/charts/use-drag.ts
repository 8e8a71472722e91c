import { useRef } from 'preact/hooks';
import type { Scales } from './model/layout.js';
import type { ShownRange } from './model/span.js';

/** Minimum length of a movement in pixels. Shorter movements count as a click. */
const MIN_DISTANCE = 8;

/**
 * Gestures on a chart. Dragging with the mouse selects a range; dragging with a finger, or with the mouse and Shift, moves the
 * range. A click, or a second tap at the same value, presses the value; a double click resets.
 */
export function useDrag(
  { box, timeAt }: Scales,
  { from, to }: ShownRange,
  {
    onRange,
    onReset,
    onHover,
    onPress,
    isOpen,
  }: {
    readonly onRange: (range: ShownRange) => void;
    readonly onReset: () => void;
    readonly onHover: (time: number | undefined, top: number) => void;
    readonly onPress: (time: number) => void;
    /** Whether the tooltip already shows the value at a time. */
    readonly isOpen: (time: number) => boolean;
  },
) {
  const selection = useRef<SVGRectElement>(null);
  const start = useRef<
    | {
        readonly x: number;
        readonly pointer: number;
        readonly moves: boolean;
        /** Whether the tooltip showed the value before the pointer was pressed. */
        readonly wasOpen: boolean;
      }
    | undefined
  >(undefined);
  const positionOf = ({ clientX, currentTarget }: PointerEvent) =>
    box.left + clientX - (currentTarget as Element).getBoundingClientRect().left;
  const select = (left: number, width: number) => {
    selection.current?.setAttribute('x', String(left));
    selection.current?.setAttribute('width', String(width));
  };
  const end = () => {
    start.current = undefined;
    select(0, 0);
  };
  return {
    selection,
    handlers: {
      onPointerDown: (event: PointerEvent) => {
        if (event.button !== 0) return;
        const x = positionOf(event);
        const isTouch = event.pointerType === 'touch';
        start.current = {
          x,
          pointer: event.pointerId,
          moves: isTouch || event.shiftKey,
          wasOpen: isOpen(timeAt(x)),
        };
        (event.currentTarget as Element).setPointerCapture(event.pointerId);
      },
      onPointerMove: (event: PointerEvent) => {
        const x = positionOf(event);
        const begin = start.current;
        if (begin !== undefined && !begin.moves && Math.abs(x - begin.x) >= MIN_DISTANCE) {
          const [left, right] = [Math.min(x, begin.x), Math.max(x, begin.x)];
          select(Math.max(box.left, left), Math.min(right, box.left + box.width) - Math.max(box.left, left));
        }
        if (event.pointerType !== 'touch') onHover(timeAt(x), event.clientY);
      },
      onPointerUp: (event: PointerEvent) => {
        const begin = start.current;
        if (begin?.pointer !== event.pointerId) return;
        const x = positionOf(event);
        const distance = x - begin.x;
        end();
        if (Math.abs(distance) < MIN_DISTANCE) {
          if (event.pointerType !== 'touch' || begin.wasOpen) onPress(timeAt(x));
          else onHover(timeAt(x), event.clientY);
        } else if (begin.moves) {
          const shift = (-distance * (to - from)) / box.width;
          onRange({ from: from + shift, to: to + shift });
        } else {
          const limit = (position: number) => Math.min(Math.max(position, box.left), box.left + box.width);
          onRange({ from: timeAt(limit(Math.min(x, begin.x))), to: timeAt(limit(Math.max(x, begin.x))) });
        }
      },
      onPointerCancel: end,
      onPointerLeave: (event: PointerEvent) => {
        if (event.pointerType !== 'touch') onHover(undefined, 0);
      },
      onDblClick: onReset,
    },
  };
}
