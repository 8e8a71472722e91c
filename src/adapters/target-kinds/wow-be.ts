import type { TargetKind } from '#application/ports/target-kind.js';
import { assertAccepted, headFields, valueFields } from './writing/wunderground-fields.js';

const ADDRESS = 'https://wow.meteo.be/api/v2/send/wow';

/** WOW-BE of the Royal Meteorological Institute of Belgium, with the fields of Weather Underground in JSON. */
export const wowBe: TargetKind = {
  name: 'wow-be',
  title: 'WOW-BE',
  settings: { account: true, secret: true, url: false },
  weather: {
    interval: 300,
    send: async (weather, to) => {
      const head = headFields(to, weather, { account: 'siteid', secret: 'siteAuthenticationKey' });
      const numbers = valueFields(weather).map(([field, text]) => [field, Number(text)] as const);
      const reply = await to.fetch({
        url: to.address(ADDRESS),
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(Object.fromEntries<string | number>([...head, ...numbers])),
      });
      assertAccepted('WOW-BE', reply);
    },
  },
};
