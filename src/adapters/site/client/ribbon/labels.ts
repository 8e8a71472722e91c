/** Places labels in a picture so that they cover neither lines nor each other. */
import { round } from '../parts/pixels.js';

export interface Area {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface PlacedLabel {
  readonly text: string;
  /** Start of the text, and its baseline. */
  readonly x: number;
  readonly y: number;
}

/** Estimates the width of a text in a font of the system. Fonts differ by some percent, so the estimate is rather too large. */
export function textWidth(text: string, size: number, isBold = false): number {
  let width = 0;
  for (const character of text) {
    if (" .,:·’'|il".includes(character)) width += 0.32;
    else if ('MW%mw@'.includes(character)) width += 0.9;
    else width += 0.6;
  }
  return width * size * (isBold ? 1.05 : 1);
}

export function overlaps(a: Area, b: Area): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

/** Distance between a point and its label in multiples of the type size. */
const DISTANCE = 0.5;

/**
 * Places a label at a point. Six positions are tried: above and below the point, each in the middle, to the right and to the left.
 *
 * @param isAbove whether the positions above the point are tried first
 * @param taken areas that the label must not cover; the area of the label is added to them
 * @returns undefined if there is no free position
 */
export function placeLabel(
  {
    text,
    x,
    y,
    isAbove,
    isBold = false,
  }: {
    readonly text: string;
    readonly x: number;
    readonly y: number;
    readonly isAbove: boolean;
    readonly isBold?: boolean;
  },
  size: number,
  bounds: Area,
  taken: Area[],
): PlacedLabel | undefined {
  const width = textWidth(text, size, isBold);
  const height = size * 1.2;
  const gap = size * DISTANCE;
  const sides = isAbove ? [y - gap - height, y + gap] : [y + gap, y - gap - height];
  for (const top of sides)
    for (const wanted of [x - width / 2, x + gap, x - gap - width]) {
      // A label in the middle of a point near the edge is moved into the picture.
      const left = Math.min(Math.max(wanted, bounds.left), bounds.right - width);
      if (Math.abs(left - wanted) > width / 2) continue;
      const area = { left, top, right: left + width, bottom: top + height };
      if (area.top < bounds.top || area.bottom > bounds.bottom) continue;
      if (taken.some((other) => overlaps(area, other))) continue;
      taken.push(area);
      return { text, x: round(left), y: round(top + size) };
    }
  return undefined;
}
