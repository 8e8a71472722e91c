/** The codes of weather (WMO code table 4677, as forecasts use it) of the symbols of MET Norway, without `_day` and `_night`. */
const CODES: Readonly<Record<string, number>> = {
  clearsky: 0,
  fair: 1,
  partlycloudy: 2,
  cloudy: 3,
  fog: 45,
  lightrain: 61,
  rain: 63,
  heavyrain: 65,
  lightrainshowers: 80,
  rainshowers: 81,
  heavyrainshowers: 82,
  lightsleet: 66,
  sleet: 67,
  heavysleet: 67,
  lightsleetshowers: 66,
  sleetshowers: 67,
  heavysleetshowers: 67,
  lightsnow: 71,
  snow: 73,
  heavysnow: 75,
  lightsnowshowers: 85,
  snowshowers: 85,
  heavysnowshowers: 86,
};
const THUNDERSTORM = 95;

/** The code of a symbol: `lightrainshowers_day`. NaN for an unknown one. Symbols of thunderstorms end with `andthunder`. */
export function codeOfSymbol(symbol: string | undefined): number {
  if (symbol === undefined) return Number.NaN;
  const [name = ''] = symbol.split('_');
  return name.endsWith('andthunder') ? THUNDERSTORM : (CODES[name] ?? Number.NaN);
}
