import { type DeviceReply, type HttpDevice, httpDevice, type Made, made } from './http-device.js';

/** Live data of a gateway with all groups, as an owner has set its units. */
export const LIVE = {
  common_list: [
    { id: '0x02', val: '27.7', unit: 'C' },
    { id: '0x07', val: '73%' },
    { id: '0x03', val: '22.4', unit: 'C' },
    { id: '4', val: '32.6', unit: 'C' },
    { id: '5', val: '1.00 kPa' },
    { id: '0x0B', val: '0.00 km/h' },
    { id: '0x0C', val: '1.80 km/h' },
    { id: '0x19', val: '10.08 km/h' },
    { id: '0x15', val: '341.52 W/m2' },
    { id: '0x17', val: '3' },
    { id: '0x0A', val: '135' },
    { id: '0x6D', val: '162' },
  ],
  rain: [
    { id: '0x0D', val: '0.25 in' },
    { id: '0x0E', val: '0.10 in/Hr' },
    { id: '0x10', val: '0.25 in' },
    { id: '0x11', val: '0.25 in' },
    { id: '0x12', val: '1.50 in' },
    { id: '0x13', val: '4.74 in', battery: '5', voltage: '1.6' },
  ],
  piezoRain: [
    { id: 'srain_piezo', val: '0' },
    { id: '0x0D', val: '0.0 mm' },
    { id: '0x0E', val: '0.0 mm/Hr' },
    { id: '0x10', val: '0.0 mm' },
    { id: '0x13', val: '12.5 mm', battery: '3', voltage: '2.62' },
  ],
  wh25: [{ intemp: '24.1', unit: 'C', inhumi: '51%', abs: '1002.3 hPa', rel: '1013.0 hPa' }],
  lightning: [{ distance: '8 km', timestamp: '05/01/2026 14:58:04', count: '3', battery: '5' }],
  co2: [{ temp: '24.4', unit: 'C', humidity: '62%', PM25: '0.9', PM10: '1.3', CO2: '441' }],
  ch_pm25: [{ channel: '1', PM25: '6.0' }],
  ch_aisle: [{ channel: '1', temp: '24.9', unit: 'C', humidity: '61%', battery: '0' }],
  ch_soil: [{ channel: '1', humidity: '56%' }],
} as const;

/**
 * States of sensors by page. On the first page, the second sensor is disabled, and the third is not found yet; on the second page, the
 * second sensor is not received any more.
 */
export const SENSORS: Readonly<Record<string, unknown>> = {
  '1': [
    { img: 'wh65', type: '0', name: 'Solar & Wind', id: 'AB', batt: '1', signal: '4', rssi: '-71' },
    { img: 'wh68', type: '1', name: 'Solar & Wind', id: 'FFFFFFFE', batt: '9', signal: '0' },
    { img: 'ws80', type: '2', name: 'Solar & Wind', id: 'FFFFFFFF', batt: '9', signal: '0' },
  ],
  '2': [
    { img: 'wh51', type: '14', name: 'Soil moisture CH2', id: 'C7', batt: '4', signal: '3', rssi: '--' },
    { img: 'wh57', type: '26', name: 'Lightning', id: 'C8', batt: '0', signal: '0' },
    { img: 'wh51', type: '15', name: 'Soil moisture CH3', id: 'C9', batt: '0', signal: '4' },
    { img: 'wh40', type: '3', name: 'Rain', id: 'CA', batt: '0', signal: '4', rssi: '-80' },
  ],
};

interface GatewayOptions {
  /** Live data, or what the gateway sends in its place. */
  readonly live?: Made<unknown>;
  readonly replyOf?: (path: string) => DeviceReply | undefined;
  /** Password of the pages. */
  readonly password?: string;
  /** Whether the gateway tells the states of its sensors. */
  readonly hasSensors?: boolean;
  /** Files of the memory card by name; undefined for a gateway without one. */
  readonly card?: Readonly<Record<string, Made<string | Uint8Array>>>;
}

export interface EcowittGateway extends HttpDevice {
  /** Port of the files of the memory card. */
  readonly filePort: number;
  /** Paths of the files that were read. */
  readonly files: readonly string[];
}

/** A gateway of Ecowitt with a page, and a server of files on another port. */
export async function ecowittGateway({
  live = LIVE,
  replyOf = () => undefined,
  password,
  hasSensors = true,
  card,
}: GatewayOptions = {}): Promise<EcowittGateway> {
  let isOpen = password === undefined;
  const pages = await httpDevice(({ path, body, method }) => {
    const own = replyOf(path);
    if (own !== undefined) return own;
    if (path === '/set_login_info' && method === 'POST') {
      const { pwd } = JSON.parse(body) as { readonly pwd: string };
      isOpen ||= Buffer.from(pwd, 'base64').toString() === password;
      return { body: { status: isOpen ? '1' : '0' } };
    }
    if (!isOpen) return { status: 401, body: 'Unauthorized' };
    const url = new URL(path, 'http://gateway');
    if (url.pathname === '/get_livedata_info') return { body: made(live) };
    if (url.pathname === '/get_sensors_info' && hasSensors)
      return { body: SENSORS[url.searchParams.get('page') ?? ''] ?? [] };
    if (url.pathname === '/get_sdmmc_info' && card !== undefined)
      return {
        body: {
          info: { Name: 'SZYL', Interval: '5' },
          file_list: [
            ...Object.keys(card).map((name) => ({ name, type: 'file', size: '1KB' })),
            { name: 'log', type: '2', size: '-' },
          ],
        },
      };
    return undefined;
  });
  const files = await httpDevice(({ path }) => {
    const content = card?.[path.slice(1)];
    return content === undefined ? undefined : { body: made(content) };
  });
  return {
    ...pages,
    filePort: files.port,
    get files() {
      return files.requests.map(({ path }) => path);
    },
    close: async () => {
      await pages.close();
      await files.close();
    },
  };
}
