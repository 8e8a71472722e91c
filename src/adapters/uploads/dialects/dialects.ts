import { ambientDialect } from './ambient.js';
import type { Dialect } from './dialect.js';
import { ecowittDialect } from './ecowitt.js';
import { jsonDialect } from './json.js';
import { openWeatherMap } from './open-weather-map.js';
import { pwsweather } from './pwsweather.js';
import { thingsNetwork } from './things-network.js';
import { wow } from './wow.js';
import { wslink } from './wslink.js';
import { wunderground } from './wunderground.js';

/** All dialects, in the order in which they are asked: the general ones come last. */
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
