import type { TargetKind, TargetReply } from '#application/ports/target-kind.js';
import { TargetFailure } from '#domain/hooks/target-failure.js';
import { MILLISECONDS } from '#domain/time.js';
import { assertNoPage } from './writing/no-page.js';
import {
  assertAnyValue,
  DEW_POINT,
  SEA_LEVEL_PRESSURE,
  type SentField,
  sentFields,
  sentNumber,
} from './writing/quantities.js';

const ADDRESS = 'https://stations.windy.com/api/v2/observation/update/';
/** Seconds. */
const INTERVAL = 300;

const FIELDS: readonly SentField[] = [
  ['temp', ['air_temperature'], '°C', 2],
  ['dewpoint', DEW_POINT, '°C', 2],
  ['rh', ['relative_humidity'], '%', 1],
  ['pressure', SEA_LEVEL_PRESSURE, 'Pa', 0],
  ['wind', ['wind_speed'], 'm/s', 2],
  ['gust', ['wind_speed_of_gust'], 'm/s', 2],
  ['winddir', ['wind_from_direction'], undefined, 0],
  ['uv', ['ultraviolet_index'], undefined, 1],
  ['solarradiation', ['surface_downwelling_shortwave_flux_in_air'], undefined, 1],
];

/** Windy (https://stations.windy.com/api-reference). The account is the id of the station, and the secret is its password. */
export const windy: TargetKind = {
  name: 'windy',
  title: 'Windy',
  settings: { account: true, secret: true, url: false },
  weather: {
    interval: INTERVAL,
    send: async (weather, to) => {
      const values = [
        ...sentFields(weather, FIELDS),
        // Windy takes the sum of the past hour.
        ...sentNumber('precip', weather.rain.hour, 2),
      ];
      assertAnyValue('Windy', values);
      const url = to.address(ADDRESS);
      url.searchParams.append('id', to.account ?? '');
      url.searchParams.append('time', new Date(weather.time).toISOString());
      url.searchParams.append('softwaretype', 'weatherd');
      for (const [field, text] of values) url.searchParams.append(field, text);
      // 409 says that Windy has this row already.
      const reply = await to.fetch({
        url,
        headers: { authorization: `Bearer ${to.secret ?? ''}` },
        accepts: [400, 401, 409, 429],
      });
      if (reply.status === 429)
        throw new TargetFailure('Windy takes no more uploads for some time.', {
          reply: reply.text,
          retryAfter: pauseOf(reply, to.now()),
        });
      // Windy answers with 400 to a wrong password too, so a later row may be accepted.
      if (reply.status === 400 || reply.status === 401)
        throw new TargetFailure(
          `Windy refused the upload with status ${reply.status}. Check the id of the station and its password.`,
          { reply: reply.text, retryAfter: INTERVAL },
        );
      assertNoPage('Windy', reply);
    },
  },
};

/** Seconds until the time in the body, otherwise those of the header, otherwise the shortest interval. */
function pauseOf({ text, headers }: TargetReply, now: number): number {
  const [, until = ''] = /"retry_after"\s*:\s*"([^"]*)"/.exec(text) ?? [];
  const wanted = (Date.parse(until) - now) / MILLISECONDS.second;
  if (wanted > 0) return Math.ceil(wanted);
  const inHeader = Number(headers['retry-after']);
  return inHeader > 0 ? inHeader : INTERVAL;
}
