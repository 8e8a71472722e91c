import type { SensorState, SourceDevice, SourceKind, SourceReport } from '#application/ports/source-kind.js';
import { SourceFailure } from '#domain/sources/source-failure.js';
import { hostAndPort } from '#domain/sources/source.js';
import { MILLISECONDS } from '#domain/time.js';
import {
  type Gauge,
  GAUGES,
  type RainCounter,
  type RainPeriod,
  type Reading,
} from '#domain/uploads/upload.js';
import { findGateways } from './reading/ecowitt-broadcast.js';
import { COMMANDS, ecowittRequest, isWholePacket, packetData } from './reading/ecowitt-packet.js';
import { Fields } from './reading/quantity.js';

const PORT = 45_000;
/** Milliseconds between two requests for the states of the sensors, and until a command that was not answered is tried again. */
const STATES_INTERVAL = MILLISECONDS.hour;

/** What a value at an address of the protocol is. */
type Item =
  | {
      readonly kind: 'reading';
      readonly size: number;
      readonly variable: string;
      readonly unit: string;
      readonly divisor?: number;
    }
  | { readonly kind: 'rain'; readonly size: number; readonly gauge: Gauge; readonly period: RainPeriod }
  | { readonly kind: 'field'; readonly size: number; readonly unit?: string; readonly divisor?: number }
  /** Temperature and voltage of the battery of a probe. */
  | { readonly kind: 'probe'; readonly size: 3; readonly channel: number }
  | { readonly kind: 'air'; readonly size: 16 }
  | { readonly kind: 'strikes'; readonly size: 4 }
  | { readonly kind: 'skipped'; readonly size: number };

const tenths = (variable: string, unit: string): Item => ({
  kind: 'reading',
  size: 2,
  variable,
  unit,
  divisor: 10,
});
const rainRate = (): Item => tenths('rainfall_rate', 'mm/h');
const celsius = (): Item => ({ kind: 'field', size: 2, unit: '°C', divisor: 10 });
const percent = (): Item => ({ kind: 'field', size: 1, unit: '%' });
/** Concentrations of particles are in the stored unit of their variables. */
const particles = (): Item => ({ kind: 'field', size: 2, divisor: 10 });
const skipped = (size: number): Item => ({ kind: 'skipped', size });
const rain = (gauge: Gauge, period: RainPeriod, size: number): Item => ({
  kind: 'rain',
  size,
  gauge,
  period,
});
/** Items at addresses from `first` on. */
const from = (first: number, count: number, item: (index: number) => Item, step = 1): [number, Item][] =>
  Array.from({ length: count }, (_, index) => [first + index * step, item(index)]);

/** The values of the reply with live data, by address. Numbers are big-endian. */
const LIVE: ReadonlyMap<number, Item> = new Map([
  [0x01, celsius()],
  [0x02, tenths('air_temperature', '°C')],
  [0x03, tenths('dew_point_temperature', '°C')],
  ...from(0x04, 2, celsius),
  [0x06, percent()],
  [0x07, { kind: 'reading', size: 1, variable: 'relative_humidity', unit: '%' }],
  [0x08, tenths('surface_air_pressure', 'hPa')],
  [0x09, tenths('air_pressure_at_mean_sea_level', 'hPa')],
  [0x0a, { kind: 'reading', size: 2, variable: 'wind_from_direction', unit: 'degree' }],
  [0x0b, tenths('wind_speed', 'm/s')],
  [0x0c, tenths('wind_speed_of_gust', 'm/s')],
  [0x0d, rain('tipping', 'event', 2)],
  [0x0e, rainRate()],
  [0x0f, skipped(2)],
  [0x10, rain('tipping', 'day', 2)],
  [0x11, rain('tipping', 'week', 2)],
  [0x12, rain('tipping', 'month', 4)],
  [0x13, rain('tipping', 'year', 4)],
  [0x14, rain('tipping', 'total', 4)],
  [0x15, { kind: 'field', size: 4, divisor: 10 }],
  [0x16, { kind: 'field', size: 2 }],
  [0x17, { kind: 'reading', size: 1, variable: 'ultraviolet_index', unit: '1' }],
  [0x18, skipped(6)],
  [0x19, { kind: 'field', size: 2, unit: 'm/s', divisor: 10 }],
  ...from(0x1a, 8, celsius),
  ...from(0x22, 8, percent),
  [0x2a, particles()],
  ...from(0x2b, 16, celsius, 2),
  ...from(0x2c, 16, percent, 2),
  [0x4c, skipped(16)],
  ...from(0x4d, 4, particles),
  ...from(0x51, 3, particles),
  ...from(0x58, 4, () => ({ kind: 'field', size: 1 })),
  [0x60, { kind: 'field', size: 1, unit: 'km' }],
  // The time of the last strike, by the clock of the gateway, which knows no time zone.
  [0x61, skipped(4)],
  [0x62, { kind: 'strikes', size: 4 }],
  ...from(0x63, 8, (index) => ({ kind: 'probe', size: 3, channel: index + 1 })),
  [0x6b, skipped(24)],
  [0x6c, skipped(4)],
  [0x70, { kind: 'air', size: 16 }],
  ...from(0x72, 8, percent),
  [0x7a, skipped(1)],
  [0x7b, skipped(1)],
]);

/** The values of the reply with rain. */
const RAIN: ReadonlyMap<number, Item> = new Map([
  [0x0d, rain('tipping', 'event', 2)],
  [0x0e, rainRate()],
  [0x0f, skipped(2)],
  [0x10, rain('tipping', 'day', 4)],
  [0x11, rain('tipping', 'week', 4)],
  [0x12, rain('tipping', 'month', 4)],
  [0x13, rain('tipping', 'year', 4)],
  [0x14, rain('tipping', 'total', 4)],
  [0x7a, skipped(1)],
  [0x7b, skipped(1)],
  [0x80, rainRate()],
  [0x81, rain('piezo', 'event', 2)],
  // The rain of the last hour.
  [0x82, skipped(2)],
  [0x83, rain('piezo', 'day', 4)],
  [0x84, rain('piezo', 'week', 4)],
  [0x85, rain('piezo', 'month', 4)],
  [0x86, rain('piezo', 'year', 4)],
  [0x87, skipped(20)],
  [0x88, skipped(3)],
]);
const PIEZO_RATE = 0x80;
/** Values above it mean that there was no lightning so far, in km. */
const NO_LIGHTNING = 40;
/** The parts of the value of an air sensor, with their sizes. Means of 24 hours are left out. */
const AIR: readonly (readonly [
  name: string | undefined,
  size: number,
  unit?: string | undefined,
  divisor?: number,
])[] = [
  ['temperature', 2, '°C', 10],
  ['humidity', 1, '%'],
  ['pm10', 2, undefined, 10],
  [undefined, 2],
  ['pm25', 2, undefined, 10],
  [undefined, 2],
  ['co2', 2, 'ppm'],
];

/** What was read so far. */
interface Values {
  readonly readings: Map<string, Reading>;
  readonly counters: Map<string, RainCounter>;
  /** Rainfall rates by gauge, in mm/h. */
  readonly rates: Map<Gauge, Reading>;
  readonly fields: Fields;
  readonly sensors: SensorState[];
}

/** What is remembered of a gateway: when the states of its sensors were asked for, and when a command was not answered. */
interface Known {
  statesAt: number;
  noRainAt: number;
}

/**
 * Gateways and consoles of Ecowitt (Fine Offset) that have no page: the binary protocol on TCP port 45000. Values have no time. An
 * address that is not known ends the reading of a reply, because the length of its value is not known either.
 *
 * Sources: Ecowitt, LAN/Wi-Fi gateway API, version 1.6.4. The addresses of the reply with rain and the encodings of batteries were
 * compared with the driver gw1000 of weewx (https://github.com/gjr80/weewx-gw1000), which also knows where devices differ from it.
 */
export function ecowittTcpKind(): SourceKind {
  const gateways = new Map<string, Known>();
  return {
    name: 'ecowitt-tcp',
    title: 'Ecowitt gateway or console, TCP port 45000',
    reach: 'local',
    shortestInterval: 10,
    port: PORT,
    settings: { address: true },
    ask: async (device) => {
      const { address = '' } = device;
      const known = gateways.get(address) ?? { statesAt: -Infinity, noRainAt: -Infinity };
      gateways.set(address, known);
      const values: Values = {
        readings: new Map(),
        counters: new Map(),
        rates: new Map(),
        fields: new Fields(),
        sensors: [],
      };
      readItems(await request(device, COMMANDS.live), LIVE, values);
      // Older firmware does not answer to this command. Then the rain of the live data counts.
      if (device.now() - known.noRainAt >= STATES_INTERVAL) {
        const reply = await tryRequest(device, COMMANDS.rain);
        if (reply === undefined) known.noRainAt = device.now();
        else readItems(reply, RAIN, values);
      }
      if (device.now() - known.statesAt >= STATES_INTERVAL) {
        known.statesAt = device.now();
        const reply = await tryRequest(device, COMMANDS.sensors);
        if (reply !== undefined) values.sensors.push(...statesOf(reply));
      }
      return [reportOf(values)];
    },
    find: (search) => findGateways(search, false),
  };
}

async function request(device: SourceDevice, command: number): Promise<Uint8Array> {
  const { host, port } = hostAndPort(device.address ?? '', PORT);
  const reply = await device.exchange(host, port, ecowittRequest(command), isWholePacket);
  return packetData(reply, command);
}

async function tryRequest(device: SourceDevice, command: number): Promise<Uint8Array | undefined> {
  try {
    return await request(device, command);
  } catch (error) {
    if (error instanceof SourceFailure) return undefined;
    throw error;
  }
}

function reportOf({ readings, counters, rates, fields, sensors }: Values): SourceReport {
  const gauges = [...counters.values()];
  const hasRain = (wanted: Gauge) => gauges.some(({ gauge, amount }) => gauge === wanted && amount > 0);
  // The rate of the piezo gauge is that of the station only if no other gauge measures.
  const first: Gauge = !hasRain('tipping') && hasRain('piezo') ? 'piezo' : 'tipping';
  const rate = rates.get(first) ?? GAUGES.map((gauge) => rates.get(gauge)).find((one) => one !== undefined);
  for (const other of rates.values())
    if (other !== rate) fields.add(other.field, { value: other.value, unit: other.unit });
  return {
    time: undefined,
    readings: [...readings.values(), ...(rate === undefined ? [] : [rate])],
    counters: gauges,
    fields: fields.list,
    sensors,
  };
}

/** Reads pairs of an address and a value, until an address is not known. */
function readItems(data: Uint8Array, items: ReadonlyMap<number, Item>, values: Values): void {
  let at = 0;
  while (at < data.length) {
    const address = data[at] ?? 0;
    const item = items.get(address);
    if (item === undefined || at + 1 + item.size > data.length) return;
    readItem(address, item, data.subarray(at + 1, at + 1 + item.size), values);
    at += 1 + item.size;
  }
}

function readItem(address: number, item: Item, bytes: Uint8Array, values: Values): void {
  const field = `0x${address.toString(16).toUpperCase().padStart(2, '0')}`;
  const { readings, counters, rates, fields, sensors } = values;
  switch (item.kind) {
    case 'reading': {
      const { variable, unit, divisor = 1 } = item;
      const value = numberIn(bytes, unit === '°C');
      if (value === undefined) return;
      const reading = { field, variable, unit, value: value / divisor };
      if (variable === 'rainfall_rate') rates.set(address === PIEZO_RATE ? 'piezo' : 'tipping', reading);
      else readings.set(variable, reading);
      return;
    }
    case 'rain': {
      const { gauge, period } = item;
      const tenthsOfMillimeters = numberIn(bytes, false);
      if (tenthsOfMillimeters === undefined) return;
      counters.set(`${gauge} ${period}`, { gauge, period, amount: tenthsOfMillimeters / 10 });
      return;
    }
    case 'field': {
      const { unit, divisor = 1 } = item;
      const value = numberIn(bytes, unit === '°C');
      if (value === undefined || (unit === 'km' && value > NO_LIGHTNING)) return;
      fields.add(field, { value: value / divisor, unit });
      return;
    }
    case 'probe': {
      const [temperature, battery] = [
        numberIn(bytes.subarray(0, 2), true),
        numberIn(bytes.subarray(2), false),
      ];
      if (temperature !== undefined) fields.add(field, { value: temperature / 10, unit: '°C' });
      if (battery !== undefined)
        sensors.push({ sensor: `wn34 ${item.channel}`, batteryVoltage: volts(battery) });
      return;
    }
    case 'air': {
      let at = 0;
      for (const [name, size, unit, divisor = 1] of AIR) {
        const value = numberIn(bytes.subarray(at, at + size), unit === '°C');
        if (name !== undefined && value !== undefined)
          fields.add(`${field}_${name}`, { value: value / divisor, unit });
        at += size;
      }
      return;
    }
    case 'strikes': {
      const value = numberIn(bytes, false);
      const variable = 'lightning_strike_count';
      if (value !== undefined) readings.set(variable, { field, variable, unit: '1', value, counter: true });
      return;
    }
    case 'skipped':
      return;
  }
}

/** A big-endian number; undefined for the largest number, which means that the value is absent. */
function numberIn(bytes: Uint8Array, isSigned: boolean): number | undefined {
  const value = bytes.reduce((high, byte) => high * 256 + byte, 0);
  const range = 256 ** bytes.length;
  if (value === (isSigned ? range / 2 : range) - 1) return undefined;
  return isSigned && value >= range / 2 ? value - range : value;
}

function volts(steps: number): number {
  return Number((steps * 0.02).toFixed(2));
}

/** Bytes of the state of a sensor: type, id, battery, and signal. */
const [STATE, ID] = [7, 4];
/** The largest level of a battery in fifths. */
const FULL = 5;
/** The WH40 sends hundredths of a volt. For the first ones, which measure no voltage, the gateway reports a constant below this value. */
const MIN_WH40 = 20;

interface SensorType {
  readonly first: number;
  readonly count: number;
  readonly model: string;
  readonly battery: keyof typeof BATTERIES;
}

/** What the byte of a battery means; undefined if it means nothing. */
const BATTERIES = {
  /** The other bits have no fixed value. */
  flag: (byte: number) => ({ isBatteryLow: byte % 2 === 1 }),
  /** 6 is a sensor with an external supply. */
  fifths: (byte: number) => (byte <= FULL ? { batteryPercent: (100 / FULL) * byte } : undefined),
  volts: (byte: number) => (byte > 0 ? { batteryVoltage: volts(byte) } : undefined),
  tenths: (byte: number) => (byte > 0 ? { batteryVoltage: byte / 10 } : undefined),
  wh40: (byte: number) => (byte < MIN_WH40 ? undefined : { batteryVoltage: byte / 100 }),
} as const satisfies Record<string, (byte: number) => Omit<SensorState, 'sensor'> | undefined>;

/**
 * The types of sensors whose battery has a known encoding, with their first number. The states of the probes (31 to 38) are among the
 * live data.
 */
const TYPES: readonly SensorType[] = [
  { first: 0, count: 1, model: 'wh65', battery: 'flag' },
  { first: 1, count: 1, model: 'wh68', battery: 'volts' },
  { first: 2, count: 1, model: 'ws80', battery: 'volts' },
  { first: 3, count: 1, model: 'wh40', battery: 'wh40' },
  { first: 4, count: 1, model: 'wh25', battery: 'flag' },
  { first: 5, count: 1, model: 'wh26', battery: 'flag' },
  { first: 6, count: 8, model: 'wh31', battery: 'flag' },
  { first: 14, count: 8, model: 'wh51', battery: 'tenths' },
  { first: 22, count: 4, model: 'wh41', battery: 'fifths' },
  { first: 26, count: 1, model: 'wh57', battery: 'fifths' },
  { first: 27, count: 4, model: 'wh55', battery: 'fifths' },
  { first: 39, count: 1, model: 'wh45', battery: 'fifths' },
  { first: 40, count: 8, model: 'wn35', battery: 'volts' },
  { first: 48, count: 1, model: 'ws90', battery: 'volts' },
  { first: 49, count: 1, model: 'ws85', battery: 'volts' },
];

/**
 * The states of the sensors that the gateway receives. The last byte of an id is below `FE` then, and the signal is not 0: the battery of
 * a sensor without a signal is the last one that was received, or none.
 */
function statesOf(data: Uint8Array): readonly SensorState[] {
  const states: SensorState[] = [];
  for (let at = 0; at + STATE <= data.length; at += STATE) {
    const [type = 0, ...rest] = data.subarray(at, at + STATE);
    const [id, [battery = 0xff, signal = 0]] = [rest.slice(0, ID), rest.slice(ID)];
    const known = TYPES.find(({ first, count }) => type >= first && type < first + count);
    const isAbsent = id.slice(0, -1).every((byte) => byte === 0xff) && (id.at(-1) ?? 0) >= 0xfe;
    if (known === undefined || isAbsent || signal === 0 || battery === 0xff) continue;
    const sensor = known.count === 1 ? known.model : `${known.model} ${type - known.first + 1}`;
    const state = BATTERIES[known.battery](battery);
    if (state !== undefined) states.push({ sensor, ...state });
  }
  return states;
}

export const ecowittTcp: SourceKind = ecowittTcpKind();
