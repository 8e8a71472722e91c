import { randomBytes } from 'node:crypto';
import type { TargetKind } from '#application/ports/target-kind.js';
import { TargetFailure } from '#domain/hooks/target-failure.js';
import { MILLISECONDS } from '#domain/time.js';
import { hiddenMd5 } from './writing/md5.js';
import {
  assertAnyValue,
  SEA_LEVEL_PRESSURE,
  type SentField,
  sentFields,
  sentNumber,
} from './writing/quantities.js';

const ADDRESS = 'https://www.windguru.cz/upload/api.php';
/** Seconds. */
const INTERVAL = 300;
/** Seconds of the sum of rain. */
const RAIN_INTERVAL = MILLISECONDS.hour / MILLISECONDS.second;

const FIELDS: readonly SentField[] = [
  ['wind_avg', ['wind_speed'], 'kt', 2],
  ['wind_max', ['wind_speed_of_gust'], 'kt', 2],
  ['wind_direction', ['wind_from_direction'], undefined, 0],
  ['temperature', ['air_temperature'], '°C', 2],
  ['rh', ['relative_humidity'], '%', 0],
  ['mslp', SEA_LEVEL_PRESSURE, 'hPa', 2],
];

/** Windguru (https://stations.windguru.cz/upload_api.php). The account is the uid of the station, and the secret its password. */
export const windguru: TargetKind = {
  name: 'windguru',
  title: 'Windguru',
  settings: { account: true, secret: true, url: false },
  weather: {
    interval: INTERVAL,
    send: async (weather, to) => {
      const rain = sentNumber('precip', weather.rain.hour, 2);
      const values = [
        ...sentFields(weather, FIELDS),
        ...rain,
        ...(rain.length === 0 ? [] : [['precip_interval', String(RAIN_INTERVAL)] as const]),
      ];
      assertAnyValue('Windguru', values);
      // Windguru refuses a salt that it has seen, so two attempts in the same millisecond differ too.
      const salt = `${to.now()}${randomBytes(6).toString('hex')}`;
      const { account = '', secret = '' } = to;
      const url = to.address(ADDRESS);
      for (const [field, text] of [
        ['uid', account] as const,
        ['salt', salt] as const,
        ['hash', hiddenMd5(`${salt}${account}${secret}`, to)] as const,
        ['interval', String(INTERVAL)] as const,
        ['unixtime', String(Math.floor(weather.time / MILLISECONDS.second))] as const,
        ...values,
      ])
        url.searchParams.append(field, text);
      const { text } = await to.fetch({ url });
      if (!/^\s*(?:OK|$)/i.test(text))
        throw new TargetFailure('Windguru refused the upload.', { reply: text, retryAfter: INTERVAL });
    },
  },
};
