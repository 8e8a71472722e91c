import { barWithin } from '../../parts/pixels.js';
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
  const bars = hours.flatMap(({ start, rain }) => {
    const left = ((start - from) / (to - from)) * box.width;
    const end = left + box.width / 24 - 0.5;
    if (!rain || start > to || end <= 0) return [];
    const [x, right] = barWithin(left, end, 0, box.width - 0.5);
    const height = Math.max(1.5, (rain / full) * (bottom - 4));
    return [{ x, y: bottom - height, width: right - x, height }];
  });
  return bars.map((bar, index) => {
    const { x = box.width } = bars[index + 1] ?? {};
    return { ...bar, width: Math.min(bar.width, Math.max(0.5, x - 0.5 - bar.x)) };
  });
}
