/**
 * Colors of values on even scales. They are computed in OKLCH, in which equal steps look equally large (Ottosson 2020), and differ
 * in lightness too, so that they can be told apart without seeing hues. Each is written for the light and the dark scheme.
 */

/** Degrees Celsius at which the scale of temperature is strongest. Beyond them it stays the same. */
const COLDEST = -30;
const WARMEST = 40;
/** mm of a day at which the scale of rain is strongest. */
const WETTEST = 50;

interface Tone {
  readonly lightness: number;
  readonly chroma: number;
  readonly hue: number;
}

/** 0 °C is the color next to the paper; cold is blue, warmth goes from yellow to red. */
export function temperatureColor(celsius: number): string {
  const share = Math.min(1, Math.abs(celsius) / Math.abs(celsius < 0 ? COLDEST : WARMEST));
  const hue = celsius < 0 ? 245 + 30 * share : 95 - 70 * share;
  return inBothSchemes(share, hue, 0.02 + 0.15 * Math.sqrt(share));
}

/** The square root of the amount, because most days have little rain. */
export function rainColor(millimeters: number): string {
  const share = Math.sqrt(Math.min(1, millimeters / WETTEST));
  return inBothSchemes(share, 250, 0.01 + 0.13 * share);
}

/** Weak values are near to the paper of each scheme. */
function inBothSchemes(share: number, hue: number, chroma: number): string {
  const light = write({ lightness: 0.95 - 0.55 * share, chroma, hue });
  const dark = write({ lightness: 0.32 + 0.5 * share, chroma, hue });
  return `light-dark(${light}, ${dark})`;
}

const write = ({ lightness, chroma, hue }: Tone) =>
  `oklch(${lightness.toFixed(3)} ${chroma.toFixed(3)} ${hue.toFixed(0)})`;
