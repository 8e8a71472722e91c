import { createSocket } from 'node:dgram';
import { createNetatmo } from '#adapters/source-kinds/netatmo.js';
import { ecowittCloud } from '#adapters/source-kinds/ecowitt-cloud.js';
import { ecowittTcpKind } from '#adapters/source-kinds/ecowitt-tcp.js';
import { ecowittKind } from '#adapters/source-kinds/ecowitt.js';
import { homeAssistant } from '#adapters/source-kinds/home-assistant.js';
import { shelly } from '#adapters/source-kinds/shelly.js';
import { createTempest } from '#adapters/source-kinds/tempest.js';
import { tempestCloud } from '#adapters/source-kinds/tempest-cloud.js';
import { weatherlinkCloud } from '#adapters/source-kinds/weatherlink-cloud.js';
import { createWeatherlinkLive } from '#adapters/source-kinds/weatherlink-live.js';
import type { SourceKind, SourceSettings } from '#application/ports/source-kind.js';
import type { FieldMapping } from '#domain/uploads/field-mapping.js';
import { ecowittCloudService, KEYS, MAC } from './ecowitt-cloud.js';
import { packet, tcpGateway } from './ecowitt-tcp.js';
import { ecowittGateway } from './ecowitt.js';
import { homeAssistantService, TOKEN as HOME_TOKEN } from './home-assistant.js';
import { CLIENT, IDS, netatmoService, OUTDOOR, RAIN, station } from './netatmo.js';
import { shellyDevice, STATUS } from './shelly.js';
import { HUB, SERIAL, tempestService, TOKEN as TEMPEST_TOKEN, valuesWith } from './tempest.js';
import { SECRETS, sensor, STATION, weatherlinkService } from './weatherlink-cloud.js';
import { BAROMETER, conditions, ISS, weatherlinkLiveDevice } from './weatherlink-live.js';

export const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Rain of a tip of the gauge, in mm. */
const TIP = 0.2;

/**
 * The weather of a garden in which it rains at times. The gauge tips at irregular times, and counts from the beginning of each day, month
 * and year of UTC.
 */
export class Garden {
  /** The present time in milliseconds since 1970-01-01T00:00:00Z. */
  now: number;
  readonly #begin: number;
  readonly #tips: readonly number[];

  constructor(begin: number, end: number) {
    this.now = begin;
    this.#begin = begin - DAY;
    const tips: number[] = [];
    let seed = 7;
    for (let time = begin - DAY; time < end; time += 1000 * (20 + (seed % 200))) {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      if (time % (35 * MINUTE) > 9 * MINUTE) tips.push(time);
    }
    this.#tips = tips;
  }

  /** Rain in mm after the first and until the second time. */
  rain(from: number, to: number): number {
    return millimeters(this.#tips.filter((time) => time > from && time <= to).length);
  }

  /** The counters of the gauge at a time, in mm. */
  counters(time: number): { readonly day: number; readonly month: number; readonly year: number } {
    const date = new Date(time);
    const month = Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
    return {
      day: this.rain(Math.floor(time / DAY) * DAY, time),
      month: millimeters(this.rain(month, time) / TIP + (month < this.#begin ? 200 : 0)),
      year: millimeters(this.rain(0, time) / TIP + 2000),
    };
  }

  /** Temperature in °C, with one decimal. */
  temperature(time: number): number {
    return Number((10 + (Math.floor(time / MINUTE) % 50) / 10).toFixed(1));
  }

  /** The multiples of `step` after the first time and until the second one. */
  times(from: number, to: number, step: number): readonly number[] {
    const first = Math.floor(from / step) * step + step;
    return Array.from(
      { length: Math.max(0, Math.floor((to - first) / step) + 1) },
      (_, at) => first + at * step,
    );
  }
}

function millimeters(tips: number): number {
  return Number((tips * TIP).toFixed(6));
}

/** A device or a service in the garden, as a source. */
export interface Station {
  readonly settings: SourceSettings;
  readonly secrets: Readonly<Record<string, string>>;
  readonly mappings?: readonly FieldMapping[];
  /** Takes the device off the network of the service, or brings it back. */
  setAway(isAway: boolean): void;
  /** Sends what the device broadcasts now. @returns the number of datagrams */
  send?(): Promise<number>;
  close(): Promise<void>;
}

export interface StationKind {
  readonly title: string;
  /** Creates the kind as at the start of a process. */
  readonly kind: () => SourceKind;
  /** Milliseconds between two requests, and the longest time between two rows of the past; undefined if there is no past. */
  readonly interval: number;
  readonly step?: number;
  /** Whether the service is killed at each step of the filling, instead of some. */
  readonly isKilledAtEachStep?: true;
  /** Why the gap stays open, for a kind without a past. */
  readonly reason?: string;
  /** How the rain comes: as a counter, as amounts, or not at all. */
  readonly rain: 'counter' | 'amount' | 'none';
  /** The time until which the newest report has counted rain. */
  readonly countedAt?: (now: number) => number;
  readonly start: (garden: Garden) => Promise<Station>;
}

const toFahrenheit = (celsius: number) => celsius * 1.8 + 32;
const seconds = (time: number) => time / 1000;
/** A kind whose service is reached on the loopback interface. */
const nearby = (kind: SourceKind): SourceKind => ({ ...kind, reach: 'local' });
const NO_HISTORY = 'This kind of source cannot be asked for the past.';
const NO_SECRETS = 'The source has no secrets with which it can be asked for the past.';

/** The archive of WeatherLink. @param delay milliseconds until the service has a record */
async function weatherlinkArchive(garden: Garden, step: number, delay: () => number) {
  const begin = garden.now - HOUR;
  const archived = (time: number) => ({
    ts: seconds(time),
    tx_id: 1,
    arch_int: seconds(step),
    temp_last: toFahrenheit(garden.temperature(time)),
    hum_last: 50,
    rainfall_mm: garden.rain(time - step, time),
  });
  const current = () => {
    const time = Math.floor(garden.now / MINUTE) * MINUTE;
    const { day, month, year } = garden.counters(time);
    return {
      ts: seconds(time),
      tx_id: 1,
      temp: toFahrenheit(garden.temperature(time)),
      rainfall_daily_mm: day,
      rainfall_monthly_mm: month,
      rainfall_year_mm: year,
    };
  };
  return await weatherlinkService({
    sensors: () => [sensor(10, current())],
    past: () => [sensor(11, ...garden.times(begin, garden.now - delay(), step).map(archived))],
  });
}

function weatherlinkLive(garden: Garden) {
  return weatherlinkLiveDevice(() => {
    const { day, month, year } = garden.counters(garden.now);
    const counts = { rainfall_daily: day / TIP, rainfall_monthly: month / TIP, rainfall_year: year / TIP };
    const counted = Object.fromEntries(
      Object.entries(counts).map(([name, count]) => [name, Math.round(count)]),
    );
    const iss = { ...ISS, temp: toFahrenheit(garden.temperature(garden.now)), ...counted };
    return conditions([iss, BAROMETER], { ts: Math.floor(seconds(garden.now)) });
  });
}

/** The observations of a Tempest at each minute. */
const observed = (garden: Garden) => (time: number) => ({
  7: garden.temperature(time * 1000),
  12: garden.rain(time * 1000 - MINUTE, time * 1000),
  13: 1,
});

async function hub(garden: Garden, port: number, secrets: Station['secrets'], url: string): Promise<Station> {
  const socket = createSocket('udp4');
  let [sentAt, isAway] = [Math.floor(garden.now / MINUTE) * MINUTE - MINUTE, false];
  return {
    settings: { address: '127.0.0.1', device: SERIAL, url },
    secrets,
    setAway: (value) => {
      isAway = value;
    },
    async send() {
      const times = garden.times(sentAt, garden.now, MINUTE);
      sentAt = times.at(-1) ?? sentAt;
      if (isAway) return 0;
      for (const time of times.slice(-2)) {
        const obs = [valuesWith({ 0: seconds(time), ...observed(garden)(seconds(time)) })];
        const message = { serial_number: SERIAL, type: 'obs_st', hub_sn: HUB, obs };
        await new Promise<void>((resolve) =>
          socket.send(JSON.stringify(message), port, '127.0.0.1', () => resolve()),
        );
      }
      return Math.min(2, times.length);
    },
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

/** A port that no other process listens on. Two tests of one machine may run at the same time. */
const HUB_PORT = 30_000 + (process.pid % 20_000);
const tempestKind = (): SourceKind => {
  const kind = createTempest();
  return nearby({ ...kind, ...(kind.datagrams && { datagrams: { ...kind.datagrams, port: HUB_PORT } }) });
};

async function tempestArchive(garden: Garden) {
  const begin = garden.now - HOUR;
  return await tempestService(() => garden.times(begin, garden.now, MINUTE).map(seconds), observed(garden));
}

/** The kinds that can be asked for the past, and those that cannot. */
export const STATIONS: readonly StationKind[] = [
  {
    title: 'an Ecowitt gateway with a memory card',
    kind: ecowittKind,
    interval: MINUTE,
    step: 5 * MINUTE,
    rain: 'counter',
    start: async (garden) => {
      const begin = garden.now - HOUR;
      const card = (month: string) => {
        const rows = garden.times(begin, garden.now, 5 * MINUTE).flatMap((time) => {
          const local = new Date(time).toISOString();
          const { day, month: ofMonth, year } = garden.counters(time);
          const values = [garden.temperature(time), day, ofMonth, year].map((value) => value.toFixed(1));
          return local.startsWith(month)
            ? [`${local.slice(0, 16).replace('T', ' ')},${values.join(',')}`]
            : [];
        });
        const heading = 'Time,Outdoor Temperature(℃),Daily Rain(mm),Monthly Rain(mm),Yearly Rain(mm)';
        return [heading, ...rows, ''].join('\r\n');
      };
      const gateway = await ecowittGateway({
        live: () => {
          const { day, month, year } = garden.counters(garden.now);
          return {
            common_list: [{ id: '0x02', val: String(garden.temperature(garden.now)), unit: 'C' }],
            rain: [
              { id: '0x10', val: `${day} mm` },
              { id: '0x12', val: `${month} mm` },
              { id: '0x13', val: `${year} mm` },
            ],
          };
        },
        hasSensors: false,
        card: { '202606A.csv': () => card('2026-06'), '202607A.csv': () => card('2026-07') },
      });
      const { address, filePort, setAway, close } = gateway;
      return { settings: { address, filePort }, secrets: {}, setAway, close };
    },
  },
  {
    title: 'a WeatherLink Live with the archive of WeatherLink',
    kind: () => {
      const kind = createWeatherlinkLive();
      return { ...kind, history: { ...kind.history, longest: DAY, reach: 'local' } };
    },
    interval: MINUTE,
    step: 15 * MINUTE,
    rain: 'counter',
    countedAt: (now) => now,
    start: async (garden) => {
      const device = await weatherlinkLive(garden);
      let [isAway, backAt] = [false, -Infinity];
      // A device that was off the network sends its records to the service when it is back, which takes its time.
      const service = await weatherlinkArchive(garden, 15 * MINUTE, () =>
        isAway || garden.now < backAt + 25 * MINUTE ? 100 * MINUTE : MINUTE,
      );
      return {
        settings: { address: device.address, account: STATION, url: service.url },
        secrets: SECRETS,
        setAway: (value) => {
          device.setAway(value);
          [isAway, backAt] = [value, value ? Infinity : garden.now];
        },
        close: async () => {
          await device.close();
          await service.close();
        },
      };
    },
  },
  {
    title: 'the WeatherLink cloud',
    kind: () => nearby(weatherlinkCloud),
    isKilledAtEachStep: true,
    interval: MINUTE,
    step: 15 * MINUTE,
    rain: 'counter',
    countedAt: (now) => Math.floor(now / MINUTE) * MINUTE,
    start: async (garden) => {
      const { url, setAway, close } = await weatherlinkArchive(garden, 15 * MINUTE, () => MINUTE);
      return { settings: { account: STATION, url }, secrets: SECRETS, setAway, close };
    },
  },
  {
    title: 'a Tempest hub with the token of its cloud',
    kind: tempestKind,
    interval: MINUTE,
    step: MINUTE,
    rain: 'amount',
    countedAt: (now) => Math.floor(now / MINUTE) * MINUTE,
    start: async (garden) => {
      const service = await tempestArchive(garden);
      const device = await hub(garden, HUB_PORT, { token: TEMPEST_TOKEN }, service.url);
      return {
        ...device,
        close: async () => {
          await device.close();
          await service.close();
        },
      };
    },
  },
  {
    title: 'the Tempest cloud',
    kind: () => nearby(tempestCloud),
    interval: MINUTE,
    step: MINUTE,
    rain: 'amount',
    countedAt: (now) => Math.floor(now / MINUTE) * MINUTE,
    start: async (garden) => {
      const { url, setAway, close } = await tempestArchive(garden);
      return { settings: { account: '1110', url }, secrets: { token: TEMPEST_TOKEN }, setAway, close };
    },
  },
  {
    title: 'the Ecowitt cloud',
    kind: () => nearby(ecowittCloud),
    interval: MINUTE,
    step: 5 * MINUTE,
    rain: 'counter',
    countedAt: (now) => Math.floor(now / MINUTE) * MINUTE,
    start: async (garden) => {
      const begin = garden.now - HOUR;
      const PERIODS = { daily: 'day', monthly: 'month', yearly: 'year' } as const;
      const service = await ecowittCloudService({
        data: () => {
          const time = Math.floor(garden.now / MINUTE) * MINUTE;
          const metric = (value: number, unit: string) => ({
            time: String(seconds(time)),
            unit,
            value: String(value),
          });
          const counters = garden.counters(time);
          const rain = Object.entries(PERIODS).map(([name, period]) => [
            name,
            metric(counters[period], 'mm'),
          ]);
          return {
            outdoor: { temperature: metric(garden.temperature(time), '℃') },
            rainfall: Object.fromEntries(rain),
          };
        },
        past: () => {
          const times = garden.times(begin, garden.now - 7 * MINUTE, 5 * MINUTE);
          const list = (unit: string, valueAt: (time: number) => number) => ({
            unit,
            list: Object.fromEntries(times.map((time) => [String(seconds(time)), String(valueAt(time))])),
          });
          const rain = Object.entries(PERIODS).map(([name, period]) => [
            name,
            list('mm', (time) => garden.counters(time)[period]),
          ]);
          return {
            outdoor: { temperature: list('℃', (time) => garden.temperature(time)) },
            rainfall: Object.fromEntries(rain),
          };
        },
      });
      const { url, setAway, close } = service;
      return { settings: { account: MAC, url }, secrets: KEYS, setAway, close };
    },
  },
  {
    title: 'Netatmo',
    kind: () => nearby(createNetatmo()),
    interval: 5 * MINUTE,
    step: 5 * MINUTE,
    rain: 'counter',
    countedAt: (now) => Math.floor(now / (5 * MINUTE)) * 5 * MINUTE - 15_000,
    start: async (garden) => {
      const begin = garden.now - HOUR;
      const STEP = 5 * MINUTE;
      const module = (
        sent: Readonly<Record<string, unknown>>,
        offset: number,
        values: (time: number) => object,
      ) => {
        const time = Math.floor(garden.now / STEP) * STEP - offset;
        return { ...sent, dashboard_data: { time_utc: seconds(time), ...values(time) } };
      };
      const measured = (offset: number, valueAt: (time: number) => unknown[]) =>
        Object.fromEntries(
          garden
            .times(begin, garden.now, STEP)
            .map((time) => [String(seconds(time - offset)), valueAt(time - offset)]),
        );
      const service = await netatmoService({
        stations: () => [
          {
            ...station([
              module(OUTDOOR, 20_000, (time) => ({ Temperature: garden.temperature(time), Humidity: 80 })),
              module(RAIN, 15_000, (time) => ({
                Rain: garden.rain(time - STEP, time),
                sum_rain_24: garden.counters(time).day,
              })),
            ]),
            dashboard_data: {
              time_utc: seconds(Math.floor(garden.now / STEP) * STEP),
              Pressure: 1010,
            },
          },
        ],
        measures: () => ({
          [IDS.outdoor]: measured(20_000, (time) => [garden.temperature(time), 80]),
          [IDS.rain]: measured(15_000, (time) => [garden.rain(time - STEP, time)]),
        }),
      });
      const { url, setAway, close } = service;
      return { settings: { url }, secrets: { ...CLIENT, 'refresh-token': 'refresh-0' }, setAway, close };
    },
  },
  {
    title: 'Home Assistant with its recorder',
    kind: () => homeAssistant,
    interval: MINUTE,
    step: MINUTE,
    rain: 'none',
    start: async (garden) => {
      const begin = garden.now - HOUR;
      const entity = 'sensor.garden';
      const { address, setAway, close } = await homeAssistantService({
        states: () => ({ [entity]: { state: String(garden.temperature(garden.now)), unit: '°C' } }),
        history: () => ({
          [entity]: {
            unit: '°C',
            changes: garden
              .times(begin, garden.now, MINUTE)
              .map((time) => [new Date(time).toISOString(), String(garden.temperature(time))] as const),
          },
        }),
      });
      return {
        settings: { address },
        secrets: { token: HOME_TOKEN },
        mappings: [{ field: entity, variable: 'air_temperature' }],
        setAway,
        close,
      };
    },
  },
  {
    title: 'a Shelly',
    kind: () => shelly,
    interval: MINUTE,
    reason: NO_HISTORY,
    rain: 'none',
    start: async () => {
      const { address, setAway, close } = await shellyDevice({ status: STATUS });
      return { settings: { address }, secrets: {}, setAway, close };
    },
  },
  {
    title: 'a WeatherLink Live alone',
    kind: createWeatherlinkLive,
    interval: MINUTE,
    reason: NO_SECRETS,
    rain: 'counter',
    start: async (garden) => {
      const { address, setAway, close } = await weatherlinkLive(garden);
      return { settings: { address }, secrets: {}, setAway, close };
    },
  },
  {
    title: 'an Ecowitt gateway over TCP',
    kind: ecowittTcpKind,
    interval: MINUTE,
    reason: NO_HISTORY,
    rain: 'counter',
    start: async (garden) => {
      const digits = (value: number, bytes: number) =>
        Math.round(value * 10)
          .toString(16)
          .padStart(2 * bytes, '0');
      let isAway = false;
      const gateway = await tcpGateway((command) => {
        if (isAway || command !== 0x27) return undefined;
        const { day, month, year } = garden.counters(garden.now);
        const temperature = digits(garden.temperature(garden.now), 2);
        return packet(
          0x27,
          `02 ${temperature} 10 ${digits(day, 2)} 12 ${digits(month, 4)} 13 ${digits(year, 4)}`,
        );
      });
      const { address, close } = gateway;
      return {
        settings: { address },
        secrets: {},
        setAway: (value) => {
          isAway = value;
        },
        close,
      };
    },
  },
  {
    title: 'a Tempest hub alone',
    kind: tempestKind,
    interval: MINUTE,
    reason: NO_SECRETS,
    rain: 'amount',
    countedAt: (now) => Math.floor(now / MINUTE) * MINUTE,
    start: (garden) => hub(garden, HUB_PORT, {}, 'http://127.0.0.1:9'),
  },
];
