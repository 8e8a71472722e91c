import {
  hasEarlier,
  hasLater,
  PAGE,
  shownRangeOf,
  shifted,
  type Surroundings,
  type View,
  zoomed,
} from './model/span.js';

type Move = (view: View, around: Surroundings, cursor: number | undefined) => View;

const MOVES: Readonly<Record<string, Move>> = {
  PageUp: (view, around) =>
    hasEarlier(shownRangeOf(view, around), around) ? shifted(view, -1, around, PAGE) : view,
  PageDown: (view, around) =>
    hasLater(shownRangeOf(view, around), around) ? shifted(view, 1, around, PAGE) : view,
  '+': (view, around, cursor) => zoomed(view, 1 / 2, around, cursor),
  '-': (view, around, cursor) => zoomed(view, 2, around, cursor),
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
  around: Surroundings,
  cursor: number | undefined,
): View | undefined {
  return ctrlKey || metaKey || altKey ? undefined : MOVES[key]?.(view, around, cursor);
}
