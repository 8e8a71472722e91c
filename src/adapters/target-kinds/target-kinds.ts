import type { TargetKind } from '#application/ports/target-kind.js';
import { awekas } from './awekas.js';
import { cwop } from './cwop.js';
import { gotify } from './gotify.js';
import { ntfy } from './ntfy.js';
import { openweathermap } from './openweathermap.js';
import { pwsweather } from './pwsweather.js';
import { telegram } from './telegram.js';
import { temperaturNu } from './temperatur-nu.js';
import { weathercloud } from './weathercloud.js';
import { windguru } from './windguru.js';
import { windy } from './windy.js';
import { wowBe } from './wow-be.js';
import { wunderground } from './wunderground.js';

/** The kinds of targets of this project, in the order of lists. */
export const TARGET_KINDS: readonly TargetKind[] = [
  wunderground,
  pwsweather,
  wowBe,
  windy,
  weathercloud,
  openweathermap,
  awekas,
  windguru,
  cwop,
  temperaturNu,
  ntfy,
  telegram,
  gotify,
];
