import type { TargetKind } from '#application/ports/target-kind.js';
import { assertAccepted, headFields, valueFields } from './writing/wunderground-fields.js';

const ADDRESS = 'https://weatherstation.wunderground.com/weatherstation/updateweatherstation.php';

/** Weather Underground: https://support.weather.com/s/article/PWS-Upload-Protocol */
export const wunderground = uploadInQuery('wunderground', 'Weather Underground', ADDRESS);

/** A service with the request of Weather Underground: all fields are in the query of a GET. */
export function uploadInQuery(name: string, title: string, address: string): TargetKind {
  return {
    name,
    title,
    settings: { account: true, secret: true, url: false },
    weather: {
      interval: 60,
      send: async (weather, to) => {
        const url = to.address(address);
        const head = headFields(to, weather, { account: 'ID', secret: 'PASSWORD' });
        for (const [field, text] of [...head, ...valueFields(weather)]) url.searchParams.append(field, text);
        assertAccepted(title, await to.fetch({ url }));
      },
    },
  };
}
