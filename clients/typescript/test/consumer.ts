// The tests of the project compile this file with two versions of TypeScript. They do not run it.
import { type components, type operations, WeatherdClient, WeatherdError } from '../src/client.js';

const client = new WeatherdClient('http://127.0.0.1:8080');

export async function read(): Promise<void> {
  const { stations, next } = await client.get('/v1/stations');
  const station: components['schemas']['Station'] | undefined = stations[0];
  const cursor: string | null = next;
  const path = { id: station?.id ?? 'JFK' };

  const rows = await client.get('/v1/stations/{id}/observations', { path, query: { last: '24h', limit: 5 } });
  const times: string[] = rows.observations.time;
  const values: (number | null)[] | undefined = rows.observations['air_temperature'];
  const file = { limit: 'all', format: 'parquet' } as const;
  const parquet: Response = await client.response('/v1/stations/{id}/observations', { path, query: file });
  const { summaries } = await client.get('/v1/stations/{id}/summaries', { path });
  const start: string | undefined = summaries[0]?.start;
  const mean: number | null | undefined = summaries[0]?.['air_temperature']?.mean;
  for await (const page of client.pages('/v1/stations', { query: { limit: 2 } }))
    void page.stations.at(0)?.name;
  for await (const event of client.events({ stations: 'JFK' })) {
    if (event.type === 'observation') event.latest['air_temperature']?.value.toFixed(1);
    else event.reason.toUpperCase();
  }
  void [cursor, times, values, parquet, start, mean];
}

export async function write(): Promise<void> {
  const path = { id: 'JFK' };
  const body = { time: ['2026-01-31T12:00:00Z'], air_temperature: [3.9, null] };
  const { inserted } = await client.post('/v1/stations/{id}/observations', { path, body });
  await client.post('/v1/stations/{id}/observations', { path, body: 'time,air_temperature\n' });
  inserted.toFixed();
}

export function explain(error: unknown): string {
  if (!(error instanceof WeatherdError)) return 'unknown';
  // @ts-expect-error: the service has no such code
  if (error.code === 'NO_SUCH_CODE') return 'never';
  return error.code === 'STATION_UNKNOWN' ? 'There is no such station.' : error.message;
}

export function mistakes(): void {
  // @ts-expect-error: the service has no such path
  void client.get('/v1/station');
  // @ts-expect-error: the id of the station is missing
  void client.get('/v1/stations/{id}');
  // @ts-expect-error: a limit is a number, not a string
  void client.get('/v1/stations', { query: { limit: '5' } });
  // @ts-expect-error: the route has no such parameter
  void client.get('/v1/stations', { query: { station: 'JFK' } });
  // @ts-expect-error: `get` reads JSON only
  void client.get('/v1/stations/{id}/observations', { path: { id: 'JFK' }, query: { format: 'csv' } });
  // @ts-expect-error: the route has no CSV reply
  void client.response('/v1/stations', { query: { format: 'csv' } });
  // @ts-expect-error: the reply has no pages
  void client.pages('/v1/variables');
  const time: string[] = [];
  // @ts-expect-error: a value is a number, not a string
  const body: Body = { time, air_temperature: ['1'] };
  void client.post('/v1/stations/{id}/observations', { path: { id: 'JFK' }, body });
}

type Body = operations['writeObservations']['requestBody']['content']['application/json'];
