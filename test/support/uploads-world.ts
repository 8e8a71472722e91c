import type { Admission } from '#application/uploads/arrivals/admission.js';
import { AddUploadKey } from '#application/uploads/keys/add-upload-key.js';
import { ReceiveUpload } from '#application/uploads/receive-upload.js';
import { ListUploadStatus } from '#application/uploads/status/list-upload-status.js';
import type { UploadStatus } from '#domain/uploads/upload-status.js';
import type { RainPeriod, Reading, Upload, UploadOutcome } from '#domain/uploads/upload.js';
import { variableNumbered } from '#domain/weather/variables.js';
import { CALLER, type World } from './world.js';

/**
 * An `Admission` is a request that has arrived, with the number of requests that its address may still send. For this one the
 * address has no limit.
 */
export const ADMITTED: Admission = {
  isWithin: true,
  timeToWait: () => 3000,
  identify: ({ find }) => find(),
};

/** Creates an upload as the parser of a dialect returns it. A dialect is the upload format of one kind of console. */
export function upload(parts: Partial<Upload> = {}): Upload {
  const whole = {
    dialect: 'ecowitt',
    sender: {},
    time: { sent: undefined, isLive: true },
    readings: [reading('air_temperature', 12.5)],
    counters: [],
    fields: [],
    device: { batteries: {} },
    raw: 'POST /data/report/',
    ...parts,
  };
  return { digest: JSON.stringify([whole.time, whole.readings, whole.counters]), ...whole };
}

export function reading(variable: string, value: number, more: Partial<Reading> = {}): Reading {
  return { field: variable, variable, value, ...more };
}

/** Counters of the tipping gauge in mm. */
export function rain(counters: Partial<Record<RainPeriod, number>>): Upload['counters'] {
  return Object.entries(counters).map(([period, amount]) => ({
    gauge: 'tipping',
    period: period as RainPeriod,
    amount,
  }));
}

/** Creates an upload key. @returns its secret and its number */
export async function addKey(
  world: World,
  station = 'JFK',
): Promise<{ readonly secret: string; readonly number: number }> {
  const { secret, key } = await world.get(AddUploadKey).execute({ station }, CALLER);
  return { secret, number: key.number };
}

/** Sends an upload at the current time of the fake clock. @returns its outcome as text */
export async function send(
  world: World,
  parts: Partial<Upload> = {},
  address = '192.0.2.7',
): Promise<string> {
  const arrival = { receivedAt: world.clock.time, address };
  return outcomeText(await world.get(ReceiveUpload).execute(upload(parts), arrival, ADMITTED));
}

export function outcomeText(outcome: UploadOutcome): string {
  return outcome.kind === 'refused' ? `refused ${outcome.reason}` : outcome.kind;
}

export async function statusOf(world: World, key?: number): Promise<UploadStatus> {
  const [view] = await world.get(ListUploadStatus).execute(key);
  return (view as { status: UploadStatus }).status;
}

/** The stored rows of a station: seconds after `from`, and values by variable name. */
export async function rowsOf(world: World, from: number, id = 'JFK'): Promise<(readonly [number, object])[]> {
  const station = await world.stores.stations.find(id);
  const rows: (readonly [number, object])[] = [];
  const query = { stations: [station?.number ?? 0], from: -8.64e15, to: 8.64e15 };
  for await (const { times, values } of world.stores.observations.read(query))
    for (const [row, time] of times.entries())
      rows.push([
        (time - from) / 1000,
        Object.fromEntries(
          [...values]
            .filter(([, column]) => !Number.isNaN(column[row]))
            .map(([variable, column]) => [variableNumbered(variable).name, column[row]]),
        ),
      ]);
  return rows;
}
