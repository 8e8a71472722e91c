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

/** A token of a bot in the form of Telegram. */
export const TELEGRAM_TOKEN = '123456789:token-of-telegram';

/** Starts a service that accepts everything, for each kind of target. */
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
  ntfy: async () => {
    const service = await replying('{"id":"1"}');
    return { url: `${service.url}/my-topic`, stop: () => service.stop() };
  },
  telegram: () => replying('{"ok":true}'),
  gotify: () => replying('{"id":1}'),
};

function replying(body: string): Promise<AcceptingService> {
  return startService(() => ({ body }));
}
