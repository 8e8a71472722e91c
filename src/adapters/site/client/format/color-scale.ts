/**
 * Color scales of the calendar. Colors are computed in OKLCH, in which equal steps look equally large (Ottosson 2020). They also
 * differ in lightness, so that visitors who cannot see hues can distinguish them. Each color has a light and a dark variant.
 */

/** Temperatures in °C at the two ends of the scale. Temperatures outside of the scale have the color of the nearer end. */
const COLDEST = -30;
const WARMEST = 40;
/** Daily rain in mm at the end of the scale. */
const WETTEST = 50;

interface Tone {
  readonly lightness: number;
  readonly chroma: number;
  readonly hue: number;
}

/**
 * Returns the color of a temperature. 0 °C has almost the color of the background. Lower temperatures are blue; higher
 * temperatures go from yellow to red.
 */
export function temperatureColor(celsius: number): string {
  const share = Math.min(1, Math.abs(celsius) / Math.abs(celsius < 0 ? COLDEST : WARMEST));
  const hue = celsius < 0 ? 245 + 30 * share : 95 - 70 * share;
  return inBothSchemes(share, hue, 0.02 + 0.15 * Math.sqrt(share));
}

/** Returns the color of an amount of rain. The scale uses the square root of the amount, because most days have little rain. */
export function rainColor(millimeters: number): string {
  const share = Math.sqrt(Math.min(1, millimeters / WETTEST));
  return inBothSchemes(share, 250, 0.01 + 0.13 * share);
}

/**
 * Returns a color with a variant for light pages and a variant for dark pages. If `share` is small, both variants are close to
 * the background.
 */
function inBothSchemes(share: number, hue: number, chroma: number): string {
  const light = write({ lightness: 0.95 - 0.55 * share, chroma, hue });
  const dark = write({ lightness: 0.32 + 0.5 * share, chroma, hue });
  return `light-dark(${light}, ${dark})`;
}

const write = ({ lightness, chroma, hue }: Tone) =>
  `oklch(${lightness.toFixed(3)} ${chroma.toFixed(3)} ${hue.toFixed(0)})`;
