/** The symbols of the weather of a day. The first two have a variant for the night. */
export const SYMBOLS_OF_DAYS = [
  'clear',
  'partly_cloudy',
  'clear_night',
  'partly_cloudy_night',
  'cloudy',
  'fog',
  'rain',
  'sleet',
  'snow',
  'thunderstorm',
] as const;
export type DaySymbol = (typeof SYMBOLS_OF_DAYS)[number];

/** The weather of a step of a forecast. Numbers are NaN if unknown. */
export interface WeatherStep {
  /** Length of the step. */
  readonly hours: number;
  /** WMO code table 4677. */
  readonly code: number;
  /** Part of the sky with clouds, in percent. */
  readonly clouds: number;
  /** mm of the step. */
  readonly rain: number;
  /** °C. */
  readonly temperature: number;
  /** Whether the sun is below the horizon. */
  readonly isNight: boolean;
}

type Kind = 'dry' | 'fog' | 'rain' | 'sleet' | 'snow' | 'thunderstorm';

/**
 * Ranges of WMO code table 4677. Codes between them are dry: haze, dust, what fell in the hour before. Freezing drizzle and rain count as
 * sleet, and so does hail, because there is no closer symbol.
 */
const RANGES: readonly (readonly [first: number, last: number, kind: Kind])[] = [
  [10, 12, 'fog'],
  [17, 17, 'thunderstorm'],
  [28, 28, 'fog'],
  [29, 29, 'thunderstorm'],
  [40, 49, 'fog'],
  [50, 55, 'rain'],
  [56, 57, 'sleet'],
  [58, 65, 'rain'],
  [66, 69, 'sleet'],
  [70, 79, 'snow'],
  [80, 82, 'rain'],
  [83, 84, 'sleet'],
  [85, 86, 'snow'],
  [87, 90, 'sleet'],
  [91, 99, 'thunderstorm'],
];
/** Clouds in percent by the codes 0 to 3: clear, mainly clear, partly cloudy, overcast. */
const CLOUDS_OF_CODE = [0, 20, 50, 100];

/** Precipitation in mm/h from which a step without a code is wet. */
const WET = 0.1;
/** °C up to which precipitation without a code is snow, and up to which it is sleet. */
const [SNOW_UNTIL, SLEET_UNTIL] = [0.5, 2];
/** Hours of precipitation, or mm, from which a day is wet. */
const [WET_HOURS, WET_AMOUNT] = [3, 1];
/** Share of the hours of precipitation from which a kind counts. */
const MIXED_SHARE = 0.25;
/** Share of the hours from which a day is foggy. */
const FOG_SHARE = 1 / 3;
/** Clouds in percent up to which a day is clear, and up to which it is partly cloudy. */
const [CLEAR_UNTIL, PARTLY_UNTIL] = [30, 75];

/**
 * The symbol of a day, or of the rest of a day.
 *
 * - A thunderstorm in any step counts.
 * - A day is wet with 3 h of precipitation, also at night, or with 1 mm; the rest of a day also with half of its hours.
 * - Otherwise fog and clouds decide, of the hours with sun if there are any.
 *
 * @returns null if neither codes nor clouds nor precipitation are known
 */
export function daySymbol(steps: readonly WeatherStep[]): DaySymbol | null {
  const kinds = steps.map((step) => ({ ...step, kind: kindOf(step) }));
  const hoursOf = (...wanted: readonly Kind[]) =>
    kinds.reduce((sum, { kind, hours }) => sum + (wanted.includes(kind) ? hours : 0), 0);
  if (hoursOf('thunderstorm') > 0) return 'thunderstorm';
  const wet = hoursOf('rain', 'sleet', 'snow');
  const amount = kinds.reduce((sum, { rain }) => sum + (rain > 0 ? rain : 0), 0);
  const all = kinds.reduce((sum, { hours }) => sum + hours, 0);
  if (wet > 0 && (wet >= Math.min(WET_HOURS, all / 2) || amount >= WET_AMOUNT)) {
    if (hoursOf('sleet', 'snow') < MIXED_SHARE * wet) return 'rain';
    return hoursOf('sleet', 'rain') < MIXED_SHARE * wet ? 'snow' : 'sleet';
  }
  const bright = kinds.filter(({ isNight }) => !isNight);
  const shown = bright.length > 0 ? bright : kinds;
  const isFoggy = ({ kind }: { readonly kind: Kind }) => kind === 'fog';
  if (shown.some(isFoggy) && meanOf(shown, (step) => (isFoggy(step) ? 1 : 0)) >= FOG_SHARE) return 'fog';
  const clouds = meanOf(shown, cloudsOf);
  if (Number.isNaN(clouds)) return null;
  if (clouds > PARTLY_UNTIL) return 'cloudy';
  const symbol = clouds > CLEAR_UNTIL ? 'partly_cloudy' : 'clear';
  return bright.length > 0 ? symbol : `${symbol}_night`;
}

function kindOf({ code, rain, hours, temperature }: WeatherStep): Kind {
  if (!Number.isNaN(code)) return RANGES.find(([first, last]) => code >= first && code <= last)?.[2] ?? 'dry';
  if (!(rain >= WET * hours)) return 'dry';
  return temperature <= SNOW_UNTIL ? 'snow' : temperature <= SLEET_UNTIL ? 'sleet' : 'rain';
}

function cloudsOf(step: WeatherStep): number {
  if (!Number.isNaN(step.clouds)) return step.clouds;
  return CLOUDS_OF_CODE[step.code] ?? (kindOf(step) === 'dry' ? Number.NaN : 100);
}

/** The mean of the known values, weighted by hours; NaN if there are none. */
function meanOf<T extends WeatherStep>(steps: readonly T[], value: (step: T) => number): number {
  const known = steps.filter((step) => !Number.isNaN(value(step)));
  const hours = known.reduce((sum, step) => sum + step.hours, 0);
  return known.reduce((sum, step) => sum + step.hours * value(step), 0) / hours;
}
