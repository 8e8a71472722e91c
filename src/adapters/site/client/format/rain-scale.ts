/** Daily rain in mm at the end of the scale. */
const WETTEST = 50;

/**
 * Returns the color of an amount of rain, with a variant for light pages and a variant for dark pages. The scale has one hue and uses
 * the square root of the amount, because most days have little rain. Small amounts are close to the background.
 */
export function rainColor(millimeters: number): string {
  const share = Math.sqrt(Math.min(1, millimeters / WETTEST));
  const chroma = 0.01 + 0.13 * share;
  return `light-dark(${write(0.95 - 0.55 * share, chroma)}, ${write(0.32 + 0.5 * share, chroma)})`;
}

const write = (lightness: number, chroma: number) =>
  `oklch(${lightness.toFixed(3)} ${chroma.toFixed(3)} 250)`;
