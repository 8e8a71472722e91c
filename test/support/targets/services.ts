import { startService } from '../target-bench.js';
import { startAprs } from './aprs.js';
import { startOpenWeatherMap } from './openweathermap.js';

/** A simulated service that accepts what its kind of target sends. */
export interface AcceptingService {
  readonly url: string;
  stop(): void;
}

/** The only key that the simulated OpenWeatherMap accepts. */
export const OPENWEATHERMAP_KEY = 'key-of-openweathermap';

/** Starts a service that accepts everything, for each kind of target that receives weather. */
export const ACCEPTING: Readonly<Record<string, () => Promise<AcceptingService>>> = {
  wunderground: () => replying('success'),
  pwsweather: () => replying('success'),
  'wow-be': () => replying('{}'),
  windy: () => replying(''),
  weathercloud: () => replying('200'),
  openweathermap: () => startOpenWeatherMap(OPENWEATHERMAP_KEY),
  awekas: () => replying('OK'),
  windguru: () => replying('OK'),
  cwop: () => startAprs(),
  'temperatur-nu': () => replying('ok! (3.4)'),
};

function replying(body: string): Promise<AcceptingService> {
  return startService(() => ({ body }));
}
