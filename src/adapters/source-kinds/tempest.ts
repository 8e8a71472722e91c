import type { SensorState, SourceKind } from '#application/ports/source-kind.js';
import { memberOf, numberAt, parsed, textAt } from './reading/json-values.js';
import {
  askService,
  type DeviceStatus,
  hasObservations,
  MAX_SPAN,
  numberOfDevice,
  readObservations,
} from './reading/tempest-observations.js';

// Source: WeatherFlow Tempest UDP Reference v171.

const NAME = 'tempest';
const PORT = 50_222;
/** Largest number of devices and hubs whose last status is kept. */
const MAX_STATUSES = 64;
/** Names of devices by the first letters of their serial number. */
const TITLES: Readonly<Record<string, string>> = { ST: 'Tempest', AR: 'Air', SK: 'Sky' };

/**
 * Creates the kind for the broadcasts of a hub. The reach is `public`, because only the service in the internet is asked, and only for
 * what a lost datagram or an outage left open. Addresses of datagrams are not limited.
 */
export function createTempest(): SourceKind {
  /**
   * The last status of devices and hubs by serial number. A status has no values of its own, so it is reported with the next
   * observation.
   */
  const statuses = new Map<string, Omit<DeviceStatus, 'sensor'>>();

  return {
    name: NAME,
    title: 'WeatherFlow Tempest, messages of the hub',
    reach: 'public',
    shortestInterval: 60,
    settings: { address: false, device: false, account: false, url: false },
    secrets: { token: false },
    isPolled: false,
    // Rain is an amount of one interval, so a single datagram that was lost leaves a gap.
    history: { longest: MAX_SPAN, gapIntervals: 1.5, secrets: ['token'] },

    datagrams: {
      port: PORT,
      decode(datagram, settings) {
        const sent = parsed(Buffer.from(datagram).toString('utf8'));
        const serial = textAt(sent, 'serial_number');
        if (serial === undefined) return [];
        if (['device_status', 'hub_status'].includes(textAt(sent, 'type') ?? '')) {
          statuses.delete(serial);
          statuses.set(serial, { signal: numberAt(sent, 'rssi'), failed: numberAt(sent, 'sensor_status') });
          for (const oldest of statuses.keys()) {
            if (statuses.size <= MAX_STATUSES) break;
            statuses.delete(oldest);
          }
          return [];
        }
        if (settings.device !== undefined && settings.device !== serial) return [];
        const reports = readObservations(sent, { sensor: serial, ...statuses.get(serial) });
        const hub = textAt(sent, 'hub_sn') ?? '';
        const signal = statuses.get(hub)?.signal;
        if (signal === undefined) return reports;
        const state: SensorState = { sensor: hub, signal };
        return reports.map((report) => ({ ...report, sensors: [...(report.sensors ?? []), state] }));
      },
    },

    async ask(device, span) {
      if (span === undefined) return [];
      const account = device.account ?? (await numberOfDevice(device, device.device));
      return await askService(device, account, span);
    },

    async *find(search) {
      for await (const { bytes } of search.listen(PORT)) {
        const sent = parsed(Buffer.from(bytes).toString('utf8'));
        const serial = textAt(sent, 'serial_number');
        if (serial === undefined || !hasObservations(sent)) continue;
        const title = TITLES[serial.slice(0, 2)] ?? 'device';
        const firmware = memberOf(sent, 'firmware_revision') === undefined ? '' : ', firmware ';
        yield {
          device: serial,
          description: `${title} of the hub ${textAt(sent, 'hub_sn') ?? 'without a number'}${firmware}${textAt(sent, 'firmware_revision') ?? ''}`,
        };
      }
    },
  };
}

export const tempest: SourceKind = createTempest();
