import { httpDevice, type DeviceReply, type HttpDevice, type Made, made } from './http-device.js';

export const TOKEN = 'long-lived';

export interface EntityState {
  readonly state: string;
  readonly unit?: string;
}

/** An entry of the history: a time, and the state from then on. */
export type Change = readonly [time: string, state: string];

interface HomeAssistantOptions {
  readonly states?: Made<Readonly<Record<string, EntityState>>>;
  readonly history?: Made<
    Readonly<Record<string, { readonly unit?: string; readonly changes: readonly Change[] }>>
  >;
  readonly reply?: DeviceReply;
}

/** Home Assistant with some entities and their history. */
export async function homeAssistantService({
  states = {},
  history = {},
  reply,
}: HomeAssistantOptions = {}): Promise<HttpDevice> {
  return await httpDevice(({ path, headers }) => {
    if (reply !== undefined) return reply;
    if (headers.authorization !== `Bearer ${TOKEN}`) return { status: 401, body: '401: Unauthorized' };
    const { pathname, searchParams: query } = new URL(path, 'http://home');
    const entity = /^\/api\/states\/(.+)$/.exec(pathname)?.[1];
    if (entity !== undefined) {
      const known = made(states)[entity];
      return known === undefined
        ? { status: 404, body: { message: 'Entity not found.' } }
        : {
            body: {
              entity_id: entity,
              state: known.state,
              attributes: attributesOf(known.unit),
              last_updated: 'x',
            },
          };
    }
    if (!pathname.startsWith('/api/history/period/')) return undefined;
    const wanted = (query.get('filter_entity_id') ?? '').split(',');
    return {
      body: wanted.flatMap((id) => {
        const known = made(history)[id];
        if (known === undefined) return [];
        // With `minimal_response` only the first entry is complete.
        return [
          known.changes.map(([time, state], index) =>
            index === 0
              ? {
                  entity_id: id,
                  state,
                  attributes: attributesOf(known.unit),
                  last_changed: time,
                  last_updated: time,
                }
              : { state, last_changed: time },
          ),
        ];
      }),
    };
  });
}

function attributesOf(unit: string | undefined) {
  return unit === undefined ? {} : { unit_of_measurement: unit };
}
