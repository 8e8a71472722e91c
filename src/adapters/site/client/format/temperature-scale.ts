/**
 * Colors of temperatures on the map. With each degree above or below 0 °C, the lightness decreases and the chroma increases by a
 * constant amount. The colors are computed in OKLCH, in which equal distances look equally large (Ottosson 2020).
 */
/** Distance in °C from 0 °C to the ends of the scale. */
const FULL = 40;
const [LIGHTEST, DARKEST] = [0.94, 0.4];
const [PALEST, STRONGEST] = [0.015, 0.15];
/** Hues of cold and of warm temperatures, in degrees. */
const [COLD, WARM] = [255, 32];

/** Temperatures in °C that are labeled in the legend. */
export const TEMPERATURE_MARKS = [-40, -20, 0, 20, 40] as const;

/** Returns the color of a temperature on the map. @param temperature in °C @returns `#rrggbb` */
export function temperatureColorOnMap(temperature: number): string {
  const share = Math.min(Math.abs(temperature) / FULL, 1);
  const lightness = LIGHTEST + (DARKEST - LIGHTEST) * share;
  const chroma = PALEST + (STRONGEST - PALEST) * share;
  return toHex(lightness, chroma, temperature < 0 ? COLD : WARM);
}

/** Converts a color from OKLCH to sRGB: https://bottosson.github.io/posts/oklab/ */
function toHex(lightness: number, chroma: number, hue: number): string {
  const angle = (hue * Math.PI) / 180;
  const [a, b] = [chroma * Math.cos(angle), chroma * Math.sin(angle)];
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const channels = [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ];
  return `#${channels.map((linear) => channelText(linear)).join('')}`;
}

function channelText(linear: number): string {
  const bounded = Math.min(Math.max(linear, 0), 1);
  const encoded = bounded <= 0.0031308 ? 12.92 * bounded : 1.055 * bounded ** (1 / 2.4) - 0.055;
  return Math.round(encoded * 255)
    .toString(16)
    .padStart(2, '0');
}
