import { FULL_RAIN, type RibbonHour } from '../../ribbon/ribbon-model.js';

/**
 * Returns the bars of the hours with rain, with gaps of half a pixel between them. An hour at the edge of the picture that is narrower
 * than a gap has no bar.
 *
 * @param hours the start of each hour, and its rain in mm
 * @param span the shown span, in the unit of the starts of the hours
 * @param box size of the picture
 */
export function rainBars(
  hours: readonly Pick<RibbonHour, 'start' | 'rain'>[],
  span: Readonly<Record<'from' | 'to', number>>,
  box: Readonly<Record<'width' | 'height', number>>,
): readonly Readonly<Record<'x' | 'y' | 'width' | 'height', number>>[] {
  const { from, to } = span;
  const full = Math.max(FULL_RAIN, ...hours.map(({ rain }) => rain ?? 0));
  const bottom = box.height - 4;
  return hours.flatMap(({ start, rain }) => {
    const left = ((start - from) / (to - from)) * box.width;
    const x = Math.max(0, left);
    const width = Math.min(box.width, left + box.width / 24) - x - 0.5;
    if (!rain || width <= 0) return [];
    const height = Math.max(1.5, (rain / full) * (bottom - 4));
    return [{ x, y: bottom - height, width, height }];
  });
}
