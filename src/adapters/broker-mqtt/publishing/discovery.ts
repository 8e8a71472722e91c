import type { PublishedForecast, PublishedState } from '#application/ports/state-publisher.js';
import { ENTITIES, type Entity, FORECAST_ENTITIES } from './entities.js';
import { deviceOf, type PublishedTopics } from './topics.js';

/** What the messages say of the service. */
export interface PublishingService {
  readonly version: string;
  /** Address of the project. */
  readonly repository: string;
  /** Address of the pages for visitors, without a slash at its end; undefined if it is unknown. */
  readonly publicUrl: string | undefined;
}

/** Kinds of entities by their names in the message of a device. */
export type Components = ReadonlyMap<string, string>;

const SERVICE = 'weatherd';
/** The entity that says whether reports of the station are missing. */
const SILENT = 'silent';
/** Whether a forecast is invented. */
const SIMULATED = 'simulated';

/** The state of a station as JSON. Times are in UTC, values in the units of the API. */
export function stateText({ time, values, isSilent }: PublishedState): string {
  return JSON.stringify({
    time: utcText(time),
    ...Object.fromEntries(values.map(({ name, value }) => [name, value])),
    [SILENT]: isSilent,
  });
}

/** The forecast of a station as JSON. */
export function forecastText({
  issued,
  provider,
  attribution,
  isSimulated,
  values,
}: PublishedForecast): string {
  return JSON.stringify({
    issued: utcText(issued),
    provider,
    attribution,
    [SIMULATED]: isSimulated,
    ...Object.fromEntries(values.map(({ name, value }) => [name, value])),
  });
}

/** Whether a payload is a forecast of a station. Other programs may use topics of the same form. */
export function isForecastText(payload: string): boolean {
  const forecast = jsonObject(payload);
  return typeof forecast?.['issued'] === 'string' && typeof forecast[SIMULATED] === 'boolean';
}

/** Whether a payload is a state of a station. Other programs may use topics of the same form. */
export function isStateText(payload: string): boolean {
  const state = jsonObject(payload);
  return typeof state?.['time'] === 'string' && typeof state[SILENT] === 'boolean';
}

/** The entities of a station. */
export function componentsOf({ values, forecast }: PublishedState): Components {
  const sensors = [
    ...values.filter(({ name }) => ENTITIES[name] !== undefined),
    ...(forecast?.values ?? []).filter(({ name }) => FORECAST_ENTITIES[name] !== undefined),
  ];
  return new Map([...sensors.map(({ name }) => [name, 'sensor'] as const), [SILENT, 'binary_sensor']]);
}

/**
 * The message that describes a station as a device to Home Assistant, from version 2024.11 on. The keys are abbreviations that Home
 * Assistant documents (https://www.home-assistant.io/integrations/mqtt/#discovery-payload).
 *
 * @param removed entities of an earlier message that the station has no longer. Home Assistant removes them
 */
export function discoveryText(
  state: PublishedState,
  topics: PublishedTopics,
  { version, repository, publicUrl }: PublishingService,
  removed: Components = new Map(),
): string {
  const { station, plainId, values, forecast, maxAge } = state;
  const device = deviceOf(plainId);
  const sensors = values.flatMap(({ name }) => {
    const entity = ENTITIES[name];
    return entity === undefined ? [] : [[name, sensor(device, name, entity, maxAge)] as const];
  });
  const page = publicUrl && `${publicUrl}/stations/${encodeURIComponent(station.id)}`;
  return JSON.stringify({
    dev: {
      ids: [device],
      name: station.name,
      mf: SERVICE,
      mdl: 'station',
      sw: version,
      ...(page !== undefined && { cu: page }),
    },
    o: { name: SERVICE, sw: version, url: repository },
    avty_t: topics.status,
    stat_t: topics.state(station.id),
    qos: 0,
    cmps: {
      ...Object.fromEntries([...removed].map(([name, platform]) => [name, { p: platform }])),
      ...Object.fromEntries(sensors),
      ...(forecast && forecastSensors(device, forecast, topics.forecast(station.id))),
      [SILENT]: {
        p: 'binary_sensor',
        uniq_id: `${device}_${SILENT}`,
        name: 'Reports',
        dev_cla: 'problem',
        val_tpl: `{{ 'ON' if value_json.${SILENT} else 'OFF' }}`,
      },
    },
  });
}

/**
 * The entities of a device, if a service with these topics has described it; undefined otherwise. Entities that the message removes are
 * not among them.
 */
export function readComponents(payload: string, { status }: PublishedTopics): Components | undefined {
  const message = jsonObject(payload);
  const origin = message?.['o'] as { readonly name?: unknown } | undefined;
  if (message === undefined || message['avty_t'] !== status || origin?.name !== SERVICE) return undefined;
  const components = Object.entries(
    (message['cmps'] ?? {}) as Readonly<Record<string, { readonly p: string }>>,
  );
  const present = components.filter(([, component]) => Object.keys(component).length > 1);
  return new Map(present.map(([name, { p }]) => [name, p]));
}

function sensor(device: string, name: string, entity: Entity, maxAge: number): object {
  const { deviceClass, unit, scale = 1, stateClass = 'measurement', decimals } = entity;
  const value = `value_json.${name}`;
  return {
    p: 'sensor',
    uniq_id: `${device}_${name}`,
    name: entity.name,
    ...(deviceClass !== undefined && { dev_cla: deviceClass }),
    ...(unit !== undefined && { unit_of_meas: unit }),
    stat_cla: stateClass,
    sug_dsp_prc: decimals,
    exp_aft: maxAge,
    // Home Assistant reads the text `None`, which a null becomes, as an unknown value. A null cannot be multiplied. Rounding removes
    // the error of the multiplication.
    val_tpl:
      scale === 1
        ? `{{ ${value} }}`
        : `{{ (${value} * ${scale}) | round(6) if ${value} is number else none }}`,
  };
}

/** The entities of a forecast, with the provider as an attribute. @param topic of the forecast */
function forecastSensors(device: string, { values, isSimulated, maxAge }: PublishedForecast, topic: string) {
  const sensors = values.flatMap(({ name }) => {
    const entity = FORECAST_ENTITIES[name];
    if (entity === undefined) return [];
    const { deviceClass, unit, decimals } = entity;
    const component = {
      p: 'sensor',
      uniq_id: `${device}_${name}`,
      name: `${isSimulated ? 'Simulated forecast' : 'Forecast'} ${entity.name}`,
      ...(deviceClass !== undefined && { dev_cla: deviceClass }),
      unit_of_meas: unit,
      sug_dsp_prc: decimals,
      exp_aft: maxAge,
      stat_t: topic,
      val_tpl: `{{ value_json.${name} }}`,
      json_attr_t: topic,
      json_attr_tpl: "{{ {'attribution': value_json.attribution, 'issued': value_json.issued} | tojson }}",
    };
    return [[name, component] as const];
  });
  return Object.fromEntries(sensors);
}

const utcText = (time: number) => new Date(time).toISOString().replace('.000Z', 'Z');

function jsonObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
