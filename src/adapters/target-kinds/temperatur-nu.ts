import type { TargetKind } from '#application/ports/target-kind.js';
import { TargetFailure } from '#domain/hooks/target-failure.js';
import { assertAnyValue, sentFields } from './writing/quantities.js';

const ADDRESS = 'https://www.temperatur.nu/rapportera.php';
/** Seconds. */
const INTERVAL = 300;

/** Temperatur.nu, which takes the temperature alone. The secret is the hash of the station. */
export const temperaturNu: TargetKind = {
  name: 'temperatur-nu',
  title: 'Temperatur.nu',
  settings: { secret: true, url: false },
  weather: {
    interval: INTERVAL,
    send: async (weather, to) => {
      const values = sentFields(weather, [['t', ['air_temperature'], '°C', 1]]);
      assertAnyValue('Temperatur.nu', values);
      const url = to.address(ADDRESS);
      for (const [field, text] of [['hash', to.secret ?? ''] as const, ...values])
        url.searchParams.append(field, text);
      const { text } = await to.fetch({ url });
      if (!/^\s*(?:ok|$)/i.test(text))
        throw new TargetFailure('Temperatur.nu refused the temperature. Check the hash of the station.', {
          reply: text,
          retryAfter: INTERVAL,
        });
    },
  },
};
