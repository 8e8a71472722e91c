import type {
  SourceDevice,
  SourceKind,
  SourceReply,
  SourceReport,
  Span,
} from '#application/ports/source-kind.js';
import { SourceFailure } from '#domain/sources/source-failure.js';
import { MILLISECONDS } from '#domain/time.js';
import type { UploadField } from '#domain/uploads/upload.js';
import { unitsOf } from '#domain/weather/units.js';
import { VARIABLES } from '#domain/weather/variables.js';
import { unitNamed } from '#adapters/formats/files/unit-names.js';
import { decimalNumber } from '#adapters/formats/text/number.js';
import { parseTime } from '#adapters/formats/text/parse-time.js';
import { deviceUrl, urlUnder } from './reading/device-url.js';
import { isObject, memberOf, textAt } from './reading/json-values.js';

const PORT = 8123;
/** Milliseconds between two rows of the past. A state of Home Assistant holds until the next one, so it can be read at any time. */
const STEP = MILLISECONDS.minute;
/** An id of an entity: `sensor.garden_temperature`. */
const ENTITY = /^[a-z0-9_]+\.[a-z0-9_]+$/;
const UNITS: ReadonlySet<string> = new Set(VARIABLES.flatMap(unitsOf));

/** Entities of Home Assistant. The mappings of the source name them. */
export const homeAssistant: SourceKind = {
  name: 'home-assistant',
  title: 'Home Assistant',
  reach: 'local',
  shortestInterval: 5,
  port: PORT,
  settings: { address: false, url: false },
  secrets: { token: true },
  faultOf: ({ address, url }) =>
    (address === undefined) === (url === undefined)
      ? 'A source of the kind home-assistant needs an address or a base URL, and not both.'
      : undefined,
  ask: async (device, span) => {
    const entities = device.fields;
    if (entities.length === 0)
      throw new SourceFailure(
        'The source has no mappings. Map each entity to read: sensor.garden_temperature=air_temperature.',
        { needsOwner: true },
      );
    const wrong = entities.find((entity) => !ENTITY.test(entity));
    if (wrong !== undefined)
      throw new SourceFailure(`${wrong} is not the id of an entity, such as sensor.garden_temperature.`, {
        needsOwner: true,
      });
    return span === undefined ? await present(device, entities) : await past(device, entities, span);
  },
  history: { longest: MILLISECONDS.day },
};

async function get(device: SourceDevice, path: string): Promise<SourceReply> {
  const { address = '', url, secrets } = device;
  return await device.fetch({
    url: urlUnder(url ?? deviceUrl(address, PORT), path),
    headers: { authorization: `Bearer ${secrets['token'] ?? ''}` },
    accepts: [404],
  });
}

/** The states of now. A state has no time of its own: it holds until the next one. */
async function present(device: SourceDevice, entities: readonly string[]): Promise<readonly SourceReport[]> {
  const fields: UploadField[] = [];
  for (const entity of entities) {
    const reply = await get(device, `/api/states/${entity}`);
    if (reply.status === 404)
      throw new SourceFailure(`Home Assistant has no entity ${entity}.`, { needsOwner: true });
    const state = reply.json();
    if (textAt(state, 'entity_id') !== entity)
      throw new SourceFailure('The reply is not that of Home Assistant: check the address and the kind.');
    const field = fieldOf(entity, textAt(state, 'state'), unitOf(state));
    if (field !== undefined) fields.push(field);
  }
  return fields.length === 0 ? [] : [{ time: undefined, readings: [], fields }];
}

interface Change {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly time: number;
  /** Undefined while the state is unknown. */
  readonly field: UploadField | undefined;
}

/** The states of the past, at each whole minute in the span. */
async function past(
  device: SourceDevice,
  entities: readonly string[],
  { from, to }: Span,
): Promise<readonly SourceReport[]> {
  const query = new URLSearchParams({
    filter_entity_id: entities.join(','),
    end_time: new Date(to).toISOString(),
    significant_changes_only: '0',
  });
  const path = `/api/history/period/${new Date(from).toISOString()}?${query.toString()}&minimal_response`;
  const reply = await get(device, path);
  const lists = reply.status === 404 ? undefined : reply.json();
  if (!Array.isArray(lists)) throw new SourceFailure('Home Assistant has no history: its recorder is off.');
  const changes = lists.flatMap((list) => (Array.isArray(list) ? [changesOf(list)] : []));
  const positions = changes.map(() => -1);
  const reports: SourceReport[] = [];
  for (let time = Math.ceil(from / STEP) * STEP; time < to; time += STEP) {
    const fields = changes.flatMap((list, index) => {
      let at = positions[index] as number;
      while (at + 1 < list.length && (list[at + 1] as Change).time <= time) at += 1;
      positions[index] = at;
      return list[at]?.field ?? [];
    });
    if (fields.length > 0) reports.push({ time, readings: [], fields });
  }
  return reports;
}

/** The changes of one entity, the oldest first. Only the first one names the entity and its unit. */
function changesOf(list: readonly unknown[]): readonly Change[] {
  const first = list.find(isObject);
  const entity = textAt(first, 'entity_id');
  const unit = unitOf(first);
  if (entity === undefined) return [];
  return list
    .map((change) => ({
      time: parseTime(memberOf(change, 'last_updated') ?? memberOf(change, 'last_changed')),
      field: fieldOf(entity, textAt(change, 'state'), unit),
    }))
    .filter(({ time }) => !Number.isNaN(time))
    .toSorted((a, b) => a.time - b.time);
}

/** A state as a field; undefined for a state that is not a number, such as `unavailable` and `unknown`. */
function fieldOf(name: string, state: string | undefined, unit: string | undefined): UploadField | undefined {
  const value = decimalNumber(state ?? '');
  return Number.isFinite(value) ? { name, value, ...(unit !== undefined && { unit }) } : undefined;
}

/** The unit of an entity; undefined if no variable has it. */
function unitOf(state: unknown): string | undefined {
  const unit = unitNamed(textAt(memberOf(state, 'attributes'), 'unit_of_measurement') ?? '');
  return unit !== undefined && UNITS.has(unit) ? unit : undefined;
}
