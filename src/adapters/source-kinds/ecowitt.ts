import type {
  SensorState,
  SourceDevice,
  SourceKind,
  SourceReply,
  SourceReport,
  Span,
} from '#application/ports/source-kind.js';
import { SourceFailure } from '#domain/sources/source-failure.js';
import { MILLISECONDS } from '#domain/time.js';
import type { Gauge, RainCounter, RainPeriod, Reading } from '#domain/uploads/upload.js';
import { decimalNumber } from '#adapters/formats/text/number.js';
import { deviceUrl } from './reading/device-url.js';
import { findGateways } from './reading/ecowitt-broadcast.js';
import { ecowittSensor } from './reading/ecowitt-battery.js';
import { readCardFile } from './reading/ecowitt-card.js';
import { isObject, type JsonObject, memberOf, parsed, textAt } from './reading/json-values.js';
import { Fields, millimetersOf, type Quantity, quantityOf, readingOf } from './reading/quantity.js';

const HTTP_PORT = 80;
const FILE_PORT = 81;
/** Milliseconds between two requests for the states of all sensors. Batteries change slowly. */
const SENSORS_INTERVAL = MILLISECONDS.hour;
/** Ids of sensors that are disabled, or that the gateway still looks for. */
const NO_SENSOR: ReadonlySet<string> = new Set(['FFFFFFFE', 'FFFFFFFF']);

/** Variables by the id of their value in `common_list`. */
const COMMON: ReadonlyMap<string, string> = new Map([
  ['0x02', 'air_temperature'],
  ['0x03', 'dew_point_temperature'],
  ['0x07', 'relative_humidity'],
  ['0x0A', 'wind_from_direction'],
  ['0x0B', 'wind_speed'],
  ['0x0C', 'wind_speed_of_gust'],
  ['0x15', 'surface_downwelling_shortwave_flux_in_air'],
  ['0x17', 'ultraviolet_index'],
]);
/** Variables of the barometer, by the field of this kind. */
const PRESSURES: ReadonlyMap<string, string> = new Map([
  ['wh25_abs', 'surface_air_pressure'],
  ['wh25_rel', 'air_pressure_at_mean_sea_level'],
]);
const RATE = '0x0E';
/** The groups with rain. */
const GAUGES: readonly (readonly [group: string, gauge: Gauge])[] = [
  ['rain', 'tipping'],
  ['piezoRain', 'piezo'],
];
/** Rain counters by the id of their value. */
const PERIODS: ReadonlyMap<string, RainPeriod> = new Map([
  ['0x0D', 'event'],
  ['0x10', 'day'],
  ['0x11', 'week'],
  ['0x12', 'month'],
  ['0x13', 'year'],
  ['0x14', 'total'],
]);
/** Groups that are read by the id of their values. */
const BY_ID: ReadonlySet<string> = new Set(['common_list', ...GAUGES.map(([group]) => group)]);
/** The state of the gateway itself. */
const DEBUG = 'debug';
/** Members that are no values: names, the unit of other members, and states of batteries and signals. */
const NO_VALUES: ReadonlySet<string> = new Set([
  'id',
  'channel',
  'name',
  'unit',
  'battery',
  'voltage',
  'rssi',
  'signal',
]);
/** Fields by their variable, for rows of the memory card. */
const FIELD_OF: ReadonlyMap<string, string> = new Map([
  ...[...COMMON, ...PRESSURES].map(([field, variable]): [string, string] => [variable, field]),
  ['rainfall_rate', `rain_${RATE}`],
]);

const NO_PAGE =
  'The device has no live data over HTTP. An older gateway or console can be asked as kind ecowitt-tcp.';
const NO_CARD = 'The gateway has no memory card with files.';
/** Names of data files of the memory card: `202409A.csv`. Files with `Allsensors` have extra channels. */
const CARD_FILE = /^(\d{4})(\d{2})[A-Z]*\.csv$/i;
/** The longest span of one request. The files of two months are read for it. */
const MAX_SPAN = 31 * MILLISECONDS.day;

/**
 * Gateways and consoles of Ecowitt with a page of their own (GW1100, GW1200, GW2000, GW3000, WS38xx and others): `get_livedata_info`
 * over HTTP. Values are texts with a unit, which the owner has chosen in the app. They have no time.
 */
export function ecowittKind(): SourceKind {
  /** When the states of the sensors were last asked for, and whether the gateway has them, by address. */
  const asked = new Map<string, { readonly at: number; readonly hasStates: boolean }>();

  async function statesOf(device: SourceDevice, live: unknown): Promise<readonly SensorState[]> {
    const { address = '' } = device;
    const known = asked.get(address);
    if (known !== undefined && device.now() - known.at < SENSORS_INTERVAL)
      return known.hasStates ? [] : liveStates(live);
    const states = await sensorStates(device);
    asked.set(address, { at: device.now(), hasStates: states.length > 0 });
    return states.length > 0 ? states : liveStates(live);
  }

  return {
    name: 'ecowitt',
    title: 'Ecowitt gateway or console, HTTP',
    reach: 'local',
    shortestInterval: 10,
    settings: { address: true, filePort: false },
    secrets: { password: false },
    ask: async (device, span) => {
      if (span !== undefined) return await cardRows(device, span);
      const live = (await get(device, '/get_livedata_info', NO_PAGE)).json();
      if (!isLive(live))
        throw new SourceFailure('The reply is not the live data of an Ecowitt gateway: check the kind.');
      return [{ ...reportOf(live), sensors: await statesOf(device, live) }];
    },
    history: { longest: MAX_SPAN },
    find: (search) => findGateways(search, true),
  };
}

/**
 * Asks for a page. Gateways are known to give all pages with values without the password of their page (GW1100, GW2000, GW3000), and some
 * answer to a password that they do not want with an error. So it is sent only to a gateway that refuses a page.
 *
 * Source of the form of the password: Cumulus MX (https://github.com/cumulusmx/CumulusMX, `EcowittLocalApi.cs`).
 *
 * @param absent the failure if the gateway does not have the page
 */
async function get(device: SourceDevice, path: string, absent: string): Promise<SourceReply> {
  const { address = '', secrets } = device;
  const base = deviceUrl(address, HTTP_PORT);
  const accepts = [401, 403, 404];
  const reply = await device.fetch({ url: `${base}${path}`, accepts });
  if (reply.status === 404) throw new SourceFailure(absent, { needsOwner: true });
  if (reply.status < 400) return reply;
  const { password } = secrets;
  if (password === undefined)
    throw new SourceFailure(
      'The gateway wants the password of its page: put "password=…" into the file with secrets.',
      {
        needsOwner: true,
      },
    );
  const login = await device.fetch({
    url: `${base}/set_login_info`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ pwd: Buffer.from(password).toString('base64') }),
    accepts: [...accepts, 500],
  });
  if (login.status >= 400 || textAt(parsed(login.text), 'status') === '0')
    throw new SourceFailure('The gateway did not accept the password of its page.', { needsOwner: true });
  return await device.fetch({ url: `${base}${path}` });
}

function isLive(live: unknown): live is JsonObject {
  return (
    isObject(live) && ['common_list', 'wh25', 'rain', 'piezoRain'].some((name) => Object.hasOwn(live, name))
  );
}

/** Reads live data. Whatever is not known is a field. */
function reportOf(live: JsonObject): SourceReport {
  const fields = new Fields();
  const readings = new Map<string, Reading>();
  const read = (field: string, quantity: Quantity, variable: string | undefined) => {
    const reading = variable === undefined ? undefined : readingOf(field, variable, quantity);
    if (reading === undefined || readings.has(reading.variable)) fields.add(field, quantity);
    else readings.set(reading.variable, reading);
  };
  for (const item of objectsOf(live, 'common_list')) {
    const [id = '', quantity] = [textAt(item, 'id'), valueOf(item)];
    if (quantity !== undefined) read(id, quantity, COMMON.get(canonical(id)));
  }
  const counters = GAUGES.flatMap(([group, gauge]) =>
    objectsOf(live, group).flatMap((item) => counterOf(item, gauge)),
  );
  for (const [group] of ratesFirst(counters))
    for (const item of objectsOf(live, group)) {
      const [id = '', quantity] = [textAt(item, 'id'), valueOf(item)];
      if (quantity === undefined || PERIODS.has(canonical(id))) continue;
      read(`${group}_${id}`, quantity, canonical(id) === RATE ? 'rainfall_rate' : undefined);
    }
  for (const group of Object.keys(live))
    if (!BY_ID.has(group) && group !== DEBUG)
      for (const [field, text, unit] of valuesOf(live, group)) {
        const quantity = quantityOf(text, unit);
        if (quantity !== undefined) read(field, quantity, PRESSURES.get(field));
        else if (!isMissing(text)) fields.addText(field, text);
      }
  const strikes = decimalNumber(textAt(objectsOf(live, 'lightning')[0], 'count') ?? '');
  if (Number.isFinite(strikes))
    readings.set('lightning_strike_count', {
      field: 'lightning_count',
      variable: 'lightning_strike_count',
      unit: '1',
      value: strikes,
      counter: true,
    });
  const runtime = decimalNumber(textAt(objectsOf(live, DEBUG)[0], 'runtime') ?? '');
  return {
    time: undefined,
    readings: [...readings.values()],
    counters,
    fields: fields.list,
    ...(Number.isFinite(runtime) && { runtime }),
  };
}

/** The groups with rain, first the one whose rate is that of the station: the piezo gauge if only it has measured rain. */
function ratesFirst(counters: readonly RainCounter[]): typeof GAUGES {
  const hasRain = (wanted: Gauge) => counters.some(({ gauge, amount }) => gauge === wanted && amount > 0);
  return !hasRain('tipping') && hasRain('piezo') ? GAUGES.toReversed() : GAUGES;
}

/** The objects in a group, which is a list, or a single object in some firmware. */
function objectsOf(live: JsonObject, group: string): readonly JsonObject[] {
  const member = memberOf(live, group);
  return isObject(member) ? [member] : Array.isArray(member) ? member.filter(isObject) : [];
}

function counterOf(item: JsonObject, gauge: Gauge): readonly RainCounter[] {
  const period = PERIODS.get(canonical(textAt(item, 'id') ?? ''));
  const quantity = valueOf(item);
  const amount = quantity === undefined ? undefined : millimetersOf(quantity);
  return period === undefined || amount === undefined ? [] : [{ gauge, period, amount }];
}

/** An id as in the tables of this file: `0x0b` and `0x0B` are the same. */
function canonical(id: string): string {
  return id.startsWith('0x') ? `0x${id.slice(2).toUpperCase()}` : id;
}

function valueOf(item: JsonObject): Quantity | undefined {
  return quantityOf(textAt(item, 'val'), textAt(item, 'unit'));
}

/** The values of a group that has no ids, as field, text and unit: `ch_aisle_1_temp`, `24.9`, `C`. */
function valuesOf(
  live: JsonObject,
  group: string,
): readonly (readonly [string, string, string | undefined])[] {
  return objectsOf(live, group).flatMap((item) => {
    const channel = textAt(item, 'channel');
    const prefix = channel === undefined ? group : `${group}_${channel}`;
    return Object.keys(item).flatMap((name) => {
      const text = NO_VALUES.has(name) ? undefined : textAt(item, name);
      // The unit beside the values of a sensor is that of its temperatures.
      const unit = /temp/i.test(name) ? textAt(item, 'unit') : undefined;
      return text === undefined ? [] : [[`${prefix}_${name}`, text, unit] as const];
    });
  });
}

/** Whether a text means an absent value: `--`, `--.-`. */
function isMissing(text: string): boolean {
  return /^-*(?:\.-+)?$/.test(text.trim());
}

/** The states of batteries that are among the live data. */
function liveStates(live: unknown): readonly SensorState[] {
  if (!isObject(live)) return [];
  return Object.keys(live).flatMap((group) =>
    objectsOf(live, group).flatMap((item): readonly SensorState[] => {
      const [battery, voltage, channel] = ['battery', 'voltage', 'channel'].map((name) => textAt(item, name));
      // Without a voltage it is not known which encoding a rain gauge uses: one is part of a sensor array with a flag.
      if (battery === undefined || (group === 'rain' && voltage === undefined)) return [];
      const name = channel === undefined ? group : `${group} ${channel}`;
      const state = ecowittSensor(name, { battery, voltage });
      return state === undefined ? [] : [state];
    }),
  );
}

/** The states of all sensors; empty if the gateway does not tell them. */
async function sensorStates(device: SourceDevice): Promise<readonly SensorState[]> {
  const states: SensorState[] = [];
  for (const page of [1, 2])
    try {
      const list = (await get(device, `/get_sensors_info?page=${page}`, NO_PAGE)).json();
      if (Array.isArray(list)) states.push(...list.flatMap(stateOf));
    } catch (error) {
      // The values of the sensors are worth more than the states of their batteries.
      if (!(error instanceof SourceFailure)) throw error;
      break;
    }
  return states;
}

function stateOf(sensor: unknown): readonly SensorState[] {
  const [id = 'FFFFFFFF', model = '', name = '', battery, rssi, signal] = [
    'id',
    'img',
    'name',
    'batt',
    'rssi',
    'signal',
  ].map((member) => textAt(sensor, member));
  // The battery of a sensor without a signal is the last one that was received, or none.
  if (NO_SENSOR.has(id.toUpperCase()) || model === '' || signal === '0') return [];
  const channel = /\bCH\s?(\d+)/i.exec(name)?.[1];
  const title = channel === undefined ? model : `${model} ${channel}`;
  const state = ecowittSensor(title, { battery, rssi });
  return state === undefined ? [] : [state];
}

/** The rows of the memory card in a span. */
async function cardRows(device: SourceDevice, span: Span): Promise<readonly SourceReport[]> {
  const { address = '', filePort = FILE_PORT } = device;
  const card = (await get(device, '/get_sdmmc_info', NO_CARD)).json();
  const files = memberOf(card, 'file_list');
  if (!Array.isArray(files) || files.length === 0) throw new SourceFailure(NO_CARD, { needsOwner: true });
  const names = files
    .flatMap((file) => textAt(file, 'name') ?? [])
    .filter((name) => isInSpan(name, span, device))
    .toSorted();
  const base = deviceUrl(address, HTTP_PORT, filePort);
  const reports: SourceReport[] = [];
  for (const name of new Set(names)) {
    const { bytes } = await device.fetch({ url: `${base}/${name}` });
    reports.push(...((await readCardFile(name, bytes, span, FIELD_OF, device)) ?? []));
  }
  return reports;
}

/** Whether a file has rows of a month that the span touches. */
function isInSpan(name: string, { from, to }: Span, device: SourceDevice): boolean {
  const [, year, month] = CARD_FILE.exec(name) ?? [];
  if (year === undefined || month === undefined) return false;
  const begin = device.instant(`${year}-${month}-01T00:00:00`);
  const next = new Date(Date.UTC(Number(year), Number(month), 1)).toISOString().slice(0, 19);
  // A margin, because the clock of the gateway may be wrong, or in another time zone.
  return begin - MILLISECONDS.day < to && device.instant(next) + MILLISECONDS.day > from;
}

export const ecowitt: SourceKind = ecowittKind();
