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
 * The time that the charts show after a key.
 *
 * @param cursor the time that the charts point at
 * @returns undefined for a key without a meaning here. With Control or Command, + and − are those of the browser
 */
export function viewAfterKey(
  { key, ctrlKey, metaKey, altKey }: KeyboardEvent,
  view: View,
  around: Surroundings,
  cursor: number | undefined,
): View | undefined {
  return ctrlKey || metaKey || altKey ? undefined : MOVES[key]?.(view, around, cursor);
}
