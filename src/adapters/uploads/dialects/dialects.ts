import { ambientDialect } from './ambient-dialect.js';
import type { Dialect } from './dialect.js';
import { ecowittDialect } from './ecowitt-dialect.js';
import { jsonDialect } from './json.js';
import { openWeatherMap } from './open-weather-map.js';
import { pwsweather } from './pwsweather.js';
import { thingsNetwork } from './things-network.js';
import { wow } from './wow.js';
import { wslink } from './wslink.js';
import { wunderground } from './wunderground.js';

/**
 * All dialects (protocols in which stations send values), in the order in which they are tried. Dialects that recognize many
 * kinds of requests come last.
 */
export const DIALECTS: readonly Dialect[] = [
  wslink,
  wow,
  ambientDialect,
  ecowittDialect,
  pwsweather,
  wunderground,
  thingsNetwork,
  openWeatherMap,
  jsonDialect,
];
