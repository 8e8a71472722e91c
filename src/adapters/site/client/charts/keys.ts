import {
  hasEarlier,
  hasLater,
  PAGE,
  shownRangeOf,
  shiftView,
  type ViewContext,
  type View,
  zoomView,
} from './model/span.js';

type Move = (view: View, context: ViewContext, cursor: number | undefined) => View;

const MOVES: Readonly<Record<string, Move>> = {
  PageUp: (view, context) =>
    hasEarlier(shownRangeOf(view, context), context) ? shiftView(view, -1, context, PAGE) : view,
  PageDown: (view, context) =>
    hasLater(shownRangeOf(view, context), context) ? shiftView(view, 1, context, PAGE) : view,
  '+': (view, context, cursor) => zoomView(view, 1 / 2, context, cursor),
  '-': (view, context, cursor) => zoomView(view, 2, context, cursor),
};

/**
 * The view after a key press.
 *
 * @param cursor time of the cursor in ms since 1970
 * @returns undefined for other keys. With Control or Command, the browser itself handles + and −
 */
export function viewAfterKey(
  { key, ctrlKey, metaKey, altKey }: KeyboardEvent,
  view: View,
  context: ViewContext,
  cursor: number | undefined,
): View | undefined {
  return ctrlKey || metaKey || altKey ? undefined : MOVES[key]?.(view, context, cursor);
}
