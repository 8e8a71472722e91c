import {
  type ReceivedRequest,
  type SimulatedReply,
  type SimulatedService,
  startService,
} from '../target-bench.js';

interface RegisteredStation {
  readonly id: string;
  readonly external_id: string;
}

/** A simulated stations API of OpenWeatherMap. */
export interface OpenWeatherMap extends SimulatedService {
  readonly stations: RegisteredStation[];
  readonly measurements: { readonly station_id: string }[];
  /** Path of POST requests that are performed but answered with a connection that ends. */
  cut: string | undefined;
  /** Bodies in place of the own ones for the list, for a new station and for measurements. */
  replies: { readonly list?: string; readonly created?: string; readonly measured?: string };
  add(externalId: string): void;
}

/** @param key the only key that is accepted */
export async function startOpenWeatherMap(key: string): Promise<OpenWeatherMap> {
  const stations: RegisteredStation[] = [];
  const measurements: { readonly station_id: string }[] = [];
  const add = (station: Readonly<Record<string, unknown>>) => {
    const id = `583436dd9643a900${String(stations.length).padStart(8, '0')}`;
    const added = { ...station, id } as RegisteredStation;
    stations.push(added);
    return added;
  };
  const answer = ({ method, path, query, body }: ReceivedRequest): SimulatedReply => {
    if (query.get('appid') !== key)
      return { status: 401, body: `{"cod":401,"message":"Invalid API key ${query.get('appid')}"}` };
    const resource = path.split('?')[0];
    if (resource === '/data/3.0/stations' && method === 'GET')
      return { body: service.replies.list ?? JSON.stringify(stations) };
    if (resource === '/data/3.0/stations') {
      const { id, ...others } = add(JSON.parse(body) as Record<string, unknown>);
      if (service.cut === resource) return { status: 502 };
      return { status: 201, body: service.replies.created ?? JSON.stringify({ ...others, ID: id }) };
    }
    const rows = JSON.parse(body) as { readonly station_id: string }[];
    if (!rows.every(({ station_id: id }) => stations.some((one) => one.id === id)))
      return { status: 400, body: '{"code":400,"message":"Station id not valid"}' };
    if (service.replies.measured !== undefined) return { body: service.replies.measured };
    measurements.push(...rows);
    return { status: 204 };
  };
  const started = await startService((request) => answer(request));
  const service: OpenWeatherMap = {
    ...started,
    stations,
    measurements,
    cut: undefined,
    replies: {},
    add: (externalId) => void add({ external_id: externalId }),
  };
  return service;
}
