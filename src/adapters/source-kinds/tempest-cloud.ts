import type { SourceKind } from '#application/ports/source-kind.js';
import { askService, MAX_SPAN } from './reading/tempest-observations.js';

const NAME = 'tempest-cloud';

/**
 * The service of WeatherFlow. Rain is an amount of one minute, and not a counter. So each request asks for all observations since the
 * newest stored one, and no rain is lost between two requests.
 */
export const tempestCloud: SourceKind = {
  name: NAME,
  title: 'WeatherFlow Tempest, service',
  reach: 'public',
  shortestInterval: 60,
  settings: { account: true, url: false },
  secrets: { token: true },
  faultOf: ({ account = '' }) =>
    /^\d+$/.test(account)
      ? undefined
      : `The account of a source of the kind ${NAME} is the number of the device at the service, for example 1110, and not its serial number.`,
  history: { longest: MAX_SPAN },

  async ask(device, span) {
    const { account = '', since } = device;
    if (span !== undefined || since === undefined) return await askService(device, account, span);
    const to = device.now();
    // The rest of a longer silence is a gap, which is asked for in parts.
    const from = Math.min(to, Math.max(since, to - MAX_SPAN));
    const reports = await askService(device, account, { from, to });
    return reports.filter(({ time = 0 }) => time > since);
  },
};
