/** The moisture codes of a day, on which those of the next day depend. */
export interface FireCodes {
  /** Fine fuel moisture code, 0 to 101. */
  readonly fineFuel: number;
  /** Duff moisture code, at least 0. */
  readonly duff: number;
  /** Drought code, at least 0. */
  readonly drought: number;
}

/** The codes with which a season begins: Van Wagner and Pickett (1985). */
export const STARTING_CODES: FireCodes = { fineFuel: 85, duff: 6, drought: 15 };

/** The weather at noon in standard time. */
export interface FireWeather {
  /** °C. */
  readonly temperature: number;
  /** Relative humidity, %. */
  readonly humidity: number;
  /** Wind at 10 m, km/h. */
  readonly wind: number;
  /** Rain of the 24 hours to noon, mm. */
  readonly rain: number;
}

export interface FireDay extends FireCodes {
  /** Initial spread index. */
  readonly spread: number;
  /** Buildup index. */
  readonly buildup: number;
  /** Fire weather index. */
  readonly index: number;
  /** Daily severity rating. */
  readonly severity: number;
}

interface Place {
  /** Month from 0. */
  readonly month: number;
  /** Degrees north. */
  readonly latitude: number;
}

/** Constant between moisture content and code: 250 · 59.5 / 101. The publication rounds it to 147.2. */
const FINE_FUEL = (250 * 59.5) / 101;

/** Effective day lengths of the duff moisture code by month, in hours, from a latitude (degrees north) on: as in cffdrs. */
const DAY_LENGTHS: readonly (readonly [above: number, lengths: readonly number[]])[] = [
  [30, [6.5, 7.5, 9, 12.8, 13.9, 13.9, 12.4, 10.9, 9.4, 8, 7, 6]],
  [10, [7.9, 8.4, 8.9, 9.5, 9.9, 10.2, 10.1, 9.7, 9.1, 8.6, 8.1, 7.8]],
  [-10, Array.from({ length: 12 }, () => 9)],
  [-30, [10.1, 9.6, 9.1, 8.5, 8.1, 7.8, 7.9, 8.3, 8.9, 9.4, 9.9, 10.2]],
  [-Infinity, [11.5, 10.5, 9.2, 7.9, 6.8, 6.2, 6.5, 7.4, 8.7, 10, 11.2, 11.8]],
];

/** Day length factors of the drought code by month, north of 20° N. In the south they are shifted by six months. */
const DROUGHT_FACTORS = [-1.6, -1.6, -1.6, 0.9, 3.8, 5.8, 6.4, 5, 2.4, 0.4, -1.6, -1.6] as const;
const TROPICAL_FACTOR = 1.4;
const TROPICS = 20;

/** The codes and indices of a day from the codes of the day before: Van Wagner and Pickett (1985), equations 1 to 41. */
export function nextFireWeather(codes: FireCodes, weather: FireWeather, place: Place): FireDay {
  const humidity = Math.min(100, Math.max(0, weather.humidity));
  const given = { ...weather, humidity };
  const fineFuel = fineFuelCode(codes.fineFuel, given);
  const duff = duffCode(codes.duff, given, place);
  const drought = droughtCode(codes.drought, given, place);
  const spread = spreadIndex(fineFuel, weather.wind);
  const buildup = buildupIndex(duff, drought);
  const index = fireIndex(spread, buildup);
  return { fineFuel, duff, drought, spread, buildup, index, severity: 0.0272 * index ** 1.77 };
}

const moistureOf = (code: number) => (FINE_FUEL * (101 - code)) / (59.5 + code);

function fineFuelCode(before: number, { temperature, humidity, wind, rain }: FireWeather): number {
  let moisture = moistureOf(before);
  if (rain > 0.5) {
    const effective = rain - 0.5;
    const drier = moisture > 150 ? 0.0015 * (moisture - 150) ** 2 * Math.sqrt(effective) : 0;
    moisture +=
      42.5 * effective * Math.exp(-100 / (251 - moisture)) * (1 - Math.exp(-6.93 / effective)) + drier;
    moisture = Math.min(250, moisture);
  }
  const warmth = 0.18 * (21.1 - temperature) * (1 - Math.exp(-0.115 * humidity));
  const steep = Math.exp((humidity - 100) / 10);
  const drying = 0.942 * humidity ** 0.679 + 11 * steep + warmth;
  const wetting = 0.618 * humidity ** 0.753 + 10 * steep + warmth;
  const rate = (share: number) =>
    (0.424 * (1 - share ** 1.7) + 0.0694 * Math.sqrt(wind) * (1 - share ** 8)) *
    0.581 *
    Math.exp(0.0365 * temperature);
  if (moisture > drying) moisture = drying + (moisture - drying) * 10 ** -rate(humidity / 100);
  else if (moisture < wetting)
    moisture = wetting - (wetting - moisture) * 10 ** -rate((100 - humidity) / 100);
  return Math.min(101, Math.max(0, (59.5 * (250 - moisture)) / (FINE_FUEL + moisture)));
}

function duffCode(
  before: number,
  { temperature, humidity, rain }: FireWeather,
  { month, latitude }: Place,
): number {
  const length = DAY_LENGTHS.find(([above]) => latitude > above)?.[1][month] as number;
  const drying = 1.894 * (Math.max(-1.1, temperature) + 1.1) * (100 - humidity) * length * 1e-4;
  if (rain <= 1.5) return before + drying;
  const effective = 0.92 * rain - 1.27;
  const moisture = 20 + 280 * Math.exp(-0.023 * before);
  const slope =
    before <= 33
      ? 100 / (0.5 + 0.3 * before)
      : before <= 65
        ? 14 - 1.3 * Math.log(before)
        : 6.2 * Math.log(before) - 17.2;
  const wet = moisture + (1000 * effective) / (48.77 + slope * effective);
  return Math.max(0, 43.43 * (5.6348 - Math.log(wet - 20))) + drying;
}

function droughtCode(before: number, { temperature, rain }: FireWeather, { month, latitude }: Place): number {
  const factor =
    Math.abs(latitude) <= TROPICS
      ? TROPICAL_FACTOR
      : (DROUGHT_FACTORS[latitude > 0 ? month : (month + 6) % 12] as number);
  const drying = Math.max(0, (0.36 * (Math.max(-2.8, temperature) + 2.8) + factor) / 2);
  if (rain <= 2.8) return before + drying;
  const effective = 0.83 * rain - 1.27;
  return (
    Math.max(0, before - 400 * Math.log(1 + (3.937 * effective) / (800 * Math.exp(-before / 400)))) + drying
  );
}

function spreadIndex(fineFuel: number, wind: number): number {
  const moisture = moistureOf(fineFuel);
  return (
    0.208 * Math.exp(0.05039 * wind) * 91.9 * Math.exp(-0.1386 * moisture) * (1 + moisture ** 5.31 / 4.93e7)
  );
}

function buildupIndex(duff: number, drought: number): number {
  if (duff === 0) return 0;
  const part = 0.4 * drought;
  if (duff <= part) return (0.8 * drought * duff) / (duff + part);
  return Math.max(0, duff - (1 - (0.8 * drought) / (duff + part)) * (0.92 + (0.0114 * duff) ** 1.7));
}

function fireIndex(spread: number, buildup: number): number {
  const dryness =
    buildup <= 80 ? 0.626 * buildup ** 0.809 + 2 : 1000 / (25 + 108.64 * Math.exp(-0.023 * buildup));
  const intensity = 0.1 * spread * dryness;
  // oxlint-disable-next-line oxc/approx-constant -- the publication has this number
  return intensity <= 1 ? intensity : Math.exp(2.72 * (0.434 * Math.log(intensity)) ** 0.647);
}
