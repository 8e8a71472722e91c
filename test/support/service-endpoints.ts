import type { AnyEndpoint, TokenAccess } from '#adapters/http/core/endpoint.js';
import { Authorize } from '#application/accounts/sessions/authorize.js';
import { MakeFirstAdministrator } from '#application/accounts/setup/make-first-administrator.js';
import { AddUser } from '#application/accounts/users/add-user.js';
import { AddAlarm } from '#application/alarms/add-alarm.js';
import { ManageImports } from '#application/observations/imports/manage-imports.js';
import type { ImportJob } from '#application/ports/import-service.js';
import { RecheckObservations } from '#application/observations/recheck/recheck-observations.js';
import { AddOverride } from '#application/observations/overrides/add-override.js';
import type { ApiName } from '#application/operation/get-info.js';
import { MonitorHealth } from '#application/operation/monitor-health.js';
import { AddSource } from '#application/sources/manage/add-source.js';
import { AddHook } from '#application/hooks/manage/add-hook.js';
import { AddUploadKey } from '#application/uploads/keys/add-upload-key.js';
import { ListPendingUploads } from '#application/uploads/pending/list-pending-uploads.js';
import { ReceiveUpload } from '#application/uploads/receive-upload.js';
import { makeExternalEndpoints, makeInternalEndpoints } from '#composition/modules/endpoints.js';
import * as tokens from '#composition/graph/tokens.js';
import type { Principal } from '#domain/accounts/session.js';
import type { Upload } from '#domain/uploads/upload.js';
import type { ReversingHasher } from '../application/fakes/fakes.js';
import { answeringKind } from './devices/answering-kind.js';
import { orderForecast } from './forecast-world.js';
import { catchUp } from './recheck.js';
import { addStation, record } from './weather-world.js';
import { ADMITTED } from './uploads-world.js';
import { CALLER, UPLOAD_REACH, World } from './world.js';

/** All endpoints with fakes, and functions that control the fakes. */
export interface ServiceUnderTest {
  readonly endpoints: Readonly<Record<ApiName, readonly AnyEndpoint[]>>;
  readonly authorize: (token: string, access: TokenAccess) => Promise<Principal>;
  readonly state: { alive: boolean; key: boolean };
  readonly passwords: ReversingHasher;
  /** Adds objects that a test may remove: the user, hook and alarm `eve`, the station LGA with an override, and an upload key. */
  addDeletable(): Promise<void>;
  /** Finishes quality control. Files of months exist only after it. */
  settle(): Promise<void>;
  /** The number of the newest upload key. */
  uploadKey(): number;
  /** The id of a session that a test may end. */
  session(): Promise<string>;
  /** The id of the newest override. */
  override(): string;
  /**
   * Sends an upload without a key, so that its sender is pending: it waits for an approval. @returns the id of the pending sender
   */
  pendingSender(): Promise<string>;
  /** A token of an administrator with this access. */
  tokenFor(access: TokenAccess): Promise<string>;
}

/** Creates the service. Its users are the user in the example of the authentication route, and an administrator. */
export async function makeServiceUnderTest(): Promise<ServiceUnderTest> {
  const world = await World.make();
  const state = { alive: true, key: true };
  // Indices are computed for all hours from the first row on, and a file of a month exists some days after its end.
  world.clock.time = Date.UTC(2026, 0, 10, 12, 0, 0, 789);
  world.clock.up = 90_061_001;
  world.get(MonitorHealth).isAlive = () => state.alive;
  world.get(tokens.TokenIssuer).check = async () => {
    if (!state.key) throw new Error('a failure that nobody expected, with a secret in it');
    return undefined;
  };
  const ada = { name: 'ada', email: 'ada@example.org', password: 'correct horse battery staple' };
  await world.get(AddUser).execute(ada, CALLER);
  await world.addUser('root', true);
  await addStation(world);
  await record(world, '2026-01-01T00:00:00Z', {
    air_temperature: [1, 2.5],
    relative_humidity: [50, Number.NaN],
  });
  let newestOverride = '';
  let newestKey = 0;
  const addKey = async () => {
    newestKey = (await world.get(AddUploadKey).execute({ station: 'JFK' }, CALLER)).key.number;
  };
  // Messages of hooks and alarms are not sent.
  world.get(tokens.Delivery).send = async () => 'delivered';
  // The users exist already, so no first administrator can be created.
  world.get(MakeFirstAdministrator).execute = async ({ name }) => name;
  // Files are not received.
  const imports = world.get(ManageImports);
  imports.list = async () => [{ ...IMPORT, rows: 0 }];
  imports.receive = imports.find = imports.answer = imports.undo = async () => IMPORT;
  imports.discard = async () => undefined;
  await addKey();
  const addHook = async (name: string) => {
    const target = { kind: 'post', url: 'https://example.org/hook', allowPrivate: false } as const;
    await world.get(AddHook).execute({ name, target, stations: null }, CALLER, true);
  };
  // The kind of the example of the documentation.
  world.sourceKinds.push(answeringKind('weatherlink-live'));
  const addSource = async (name: string) => {
    const source = { name, kind: 'weatherlink-live', station: 'JFK', every: null, mappings: [], secrets: {} };
    // Two sources with the same device would wait for each other.
    const settings = { address: name === 'ada' ? '192.168.1.40' : '192.168.1.41' };
    await world
      .get(AddSource)
      .execute({ ...source, settings, allowAnyAddress: false }, CALLER, { replaces: true });
  };
  await addSource('ada');
  await orderForecast(world, 'JFK');
  await addHook('ada');
  await addAlarm(world, 'ada');
  const authorize = world.get(Authorize);
  return {
    endpoints: {
      external: makeExternalEndpoints(world.container, 'public', UPLOAD_REACH, {
        isLocal: () => true,
        scheme: 'http',
      }),
      internal: makeInternalEndpoints(world.container, false),
    },
    authorize: (token, access) => authorize.execute({ token, ...access }),
    state,
    passwords: world.passwords,
    addDeletable: async () => {
      const existing = await world.stores.credentials.findByName('eve');
      if (existing === undefined) await world.addUser('eve');
      await world.stores.stations.remove('LGA');
      await addStation(world, { id: 'LGA' });
      await addKey();
      await addHook('eve');
      await addSource('eve');
      await orderForecast(world, 'LGA');
      const request = { variable: 'air_temperature', from: 0, to: 1, verdict: 'bad', reason: 'x' } as const;
      await addAlarm(world, 'eve');
      newestOverride = (await world.get(AddOverride).execute('LGA', request, CALLER)).id;
    },
    settle: () => catchUp(world.get(RecheckObservations)),
    uploadKey: () => newestKey,
    session: async () => {
      await world.signIn('root');
      const [, session] = await world.stores.sessions.list(0);
      return session?.id ?? '';
    },
    override: () => newestOverride,
    pendingSender: () => addPendingSender(world),
    tokenFor: async ({ level }) => {
      const token = await world.signIn('root');
      return level === 0 ? token : await world.elevate(token);
    },
  };
}

/** An import that waits for its first answer. */
const IMPORT: ImportJob = {
  id: '1',
  state: 'asking',
  file: 'a.csv',
  stations: ['JFK'],
  startedAt: 0,
  number: null,
  checked: null,
  canUndo: false,
  bytes: 21,
  read: 0,
  line: 0,
  plan: null,
  settings: {
    map: [],
    where: [],
    leaveOut: [],
    ambiguous: 'order',
    missing: [],
    trace: [],
    unit: [],
    counter: [],
    amount: [],
  },
  answers: {},
  counts: null,
  continuedAfter: null,
  rejections: [],
  notes: [],
  undone: null,
  problem: null,
  revision: 0,
};

/** Adds an alarm unless an alarm with this name exists. */
async function addAlarm(world: World, name: string): Promise<void> {
  if ((await world.stores.alarms.alarms()).some((alarm) => alarm.name === name)) return;
  const target = { kind: 'post', url: 'https://example.org/', allowPrivate: false } as const;
  const condition = { kind: 'silent', intervals: 3 } as const;
  await world.get(AddAlarm).execute({ name, station: 'JFK', condition, target }, CALLER);
}

let pendingCount = 0;

/**
 * Sends an upload for a station that does not exist, so that its sender is pending: it waits for an approval.
 *
 * @returns the id of the pending sender
 */
export async function addPendingSender(world: World): Promise<string> {
  pendingCount += 1;
  const id = `stranger-${pendingCount}`;
  const upload: Upload = {
    dialect: 'wunderground',
    sender: { id, password: 'its own' },
    time: { sent: undefined, isLive: true },
    readings: [{ field: 'tempf', variable: 'air_temperature', unit: '°F', value: 54.1 }],
    counters: [],
    fields: [],
    device: { model: 'WS-2902', batteries: {} },
    digest: id,
    raw: '',
  };
  await world
    .get(ReceiveUpload)
    .execute(upload, { receivedAt: world.clock.now(), address: '192.0.2.7' }, ADMITTED);
  const pending = await world.get(ListPendingUploads).execute();
  return pending.find(({ sentId }) => sentId === id)?.id ?? '';
}
