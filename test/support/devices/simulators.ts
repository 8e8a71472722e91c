import type { SourceSettings } from '#application/ports/source-kind.js';
import { ecowittCloudService, KEYS, MAC } from './ecowitt-cloud.js';
import { GOLDEN, tcpGateway } from './ecowitt-tcp.js';
import { ecowittGateway } from './ecowitt.js';
import { homeAssistantService, TOKEN as HOME_TOKEN } from './home-assistant.js';
import { CLIENT, netatmoService } from './netatmo.js';
import { shellyDevice } from './shelly.js';
import { observation, OBSERVED, tempestService, TOKEN as TEMPEST_TOKEN } from './tempest.js';
import { SECRETS, STATION, weatherlinkService } from './weatherlink-cloud.js';
import { weatherlinkLiveDevice } from './weatherlink-live.js';

/** A simulated device or service with the settings that reach it. */
export interface Simulator {
  readonly settings: SourceSettings;
  readonly secrets?: Readonly<Record<string, string>>;
  /** A message that a device sends by itself, if its kind is not asked. */
  readonly datagram?: Uint8Array;
  readonly close: () => Promise<void>;
}

/** Starts the device or the service of each kind. */
export const SIMULATORS: Readonly<Record<string, () => Promise<Simulator>>> = {
  'weatherlink-live': async () => local(await weatherlinkLiveDevice()),
  ecowitt: async () => local(await ecowittGateway({ card: {} })),
  'ecowitt-tcp': async () => local(await tcpGateway({ 0x27: GOLDEN })),
  shelly: async () => local(await shellyDevice()),
  'home-assistant': async () => {
    const states = {
      'sensor.garden_temperature': { state: '4.1', unit: '°C' },
      'sensor.garden_humidity': { state: '81', unit: '%' },
    };
    return { ...local(await homeAssistantService({ states })), secrets: { token: HOME_TOKEN } };
  },
  'weatherlink-cloud': async () => cloud(await weatherlinkService(), SECRETS, STATION),
  tempest: async () => ({
    settings: {},
    datagram: Buffer.from(JSON.stringify(observation())),
    close: () => Promise.resolve(),
  }),
  'tempest-cloud': async () => cloud(await tempestService([OBSERVED]), { token: TEMPEST_TOKEN }, '1110'),
  'ecowitt-cloud': async () => cloud(await ecowittCloudService(), KEYS, MAC),
  netatmo: async () => cloud(await netatmoService(), { ...CLIENT, 'refresh-token': 'refresh-0' }),
};

function local(device: { readonly address: string; close(): Promise<void> }): Simulator {
  return { settings: { address: device.address }, close: () => device.close() };
}

function cloud(
  service: { readonly url: string; close(): Promise<void> },
  secrets: Readonly<Record<string, string>>,
  account?: string,
): Simulator {
  return {
    settings: { url: service.url, ...(account !== undefined && { account }) },
    secrets,
    close: () => service.close(),
  };
}
