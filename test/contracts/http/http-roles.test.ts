import { expect } from 'chai';
import type { AnyEndpoint } from '#adapters/http/core/endpoint.js';
import { ProtocolError } from '#adapters/http/core/errors.js';
import { Authorize } from '#application/accounts/sessions/authorize.js';
import { AddUser } from '#application/accounts/users/add-user.js';
import { ChangeUser } from '#application/accounts/users/change-user.js';
import { EraseStation } from '#application/stations/erase-station.js';
import { makeExternalEndpoints, makeInternalEndpoints } from '#composition/modules/endpoints.js';
import type { StationGrant } from '#domain/accounts/user.js';
import { type RunningApi, runApi, serviceTransports } from '../../support/api-server.js';
import { Client } from '../../support/client.js';
import { addStation } from '../../support/weather-world.js';
import { CALLER, UPLOAD_REACH, World } from '../../support/world.js';

/** The right that a caller needs. `token` means any signed-in user. `elevated`, `writer` and `administrator` need an elevated token. */
type Needed =
  | 'nothing'
  | 'token'
  | 'elevated'
  | 'writer'
  | 'administrator'
  | 'administrator without the password';

/** The needed right for each route, if weather data need a token. A new endpoint must be added here. */
const NEEDED: Readonly<Record<string, Needed>> = {
  'GET /': 'nothing',
  'GET /v1/health/liveliness': 'nothing',
  'GET /v1/health/info': 'nothing',
  'GET /openapi.json': 'nothing',
  'POST /v1/auth/authenticate/': 'nothing',
  'GET /v1/auth/keys': 'nothing',
  'POST /v1/setup': 'nothing',
  'POST /v1/auth/elevate/': 'token',
  'POST /v1/auth/drop/': 'token',
  'POST /v1/auth/revoke/': 'token',
  'GET /v1/session': 'token',
  'GET /v1/variables': 'token',
  'GET /v1/places': 'token',
  'GET /v1/stations': 'token',
  'GET /v1/stations/{id}': 'token',
  'GET /v1/stations/{id}/observations': 'token',
  'GET /v1/stations/{id}/observations/latest': 'token',
  'GET /v1/stations/{id}/now': 'token',
  'GET /v1/observations/latest': 'token',
  'GET /v1/events': 'token',
  'GET /v1/observations': 'token',
  'GET /v1/summaries': 'token',
  'GET /v1/stations/{id}/summaries': 'token',
  'GET /v1/stations/{id}/wind-rose': 'token',
  'GET /v1/stations/{id}/derived': 'token',
  'GET /v1/stations/{id}/lasting-steps': 'token',
  'GET /v1/stations/{id}/notices': 'token',
  'GET /v1/stations/{id}/source-flags': 'token',
  'GET /v1/stations/{id}/indices/air-quality': 'token',
  'GET /v1/stations/{id}/indices/growing-degree-days': 'token',
  'GET /v1/stations/{id}/indices/chill': 'token',
  'GET /v1/stations/{id}/indices/leaf-wetness': 'token',
  'GET /v1/stations/{id}/indices/spray': 'token',
  'GET /v1/stations/{id}/indices/water-balance': 'token',
  'GET /v1/stations/{id}/indices/fire-weather': 'token',
  'GET /v1/stations/{id}/indices/heat-stress': 'token',
  'GET /v1/stations/{id}/climate/months': 'token',
  'GET /v1/stations/{id}/climate/normals': 'token',
  'GET /v1/stations/{id}/climate/anomalies': 'token',
  'GET /v1/stations/{id}/climate/drought': 'token',
  'GET /v1/stations/{id}/climate/return-levels': 'token',
  'GET /v1/stations/{id}/climate/records': 'token',
  'GET /v1/stations/{id}/climate/indices': 'token',
  'GET /v1/stations/{id}/climate/degree-days': 'token',
  'GET /v1/stations/{id}/climate/usual': 'token',
  'GET /v1/stations/{id}/reports/noaa/{file}': 'token',
  'GET /v1/stations/{id}/files': 'token',
  'GET /v1/stations/{id}/files/{month}': 'token',
  'GET /v1/stations/{id}/forecast': 'token',
  'GET /v1/stations/{id}/forecast/verification': 'token',
  'GET /v1/stations/{id}/forecast/verification/cases': 'token',
  'POST /v1/stations/{id}/observations': 'writer',
  'PUT /v1/stations/{id}': 'administrator',
  'DELETE /v1/stations/{id}': 'administrator',
  'DELETE /v1/stations/{id}/observations': 'administrator',
  'POST /v1/stations/{id}/restore': 'administrator',
  'GET /v1/stations/{id}/overrules': 'administrator',
  'POST /v1/stations/{id}/overrules': 'administrator',
  'DELETE /v1/stations/{id}/overrules/{overrule}': 'administrator',
  'GET /v1/users': 'administrator',
  'GET /v1/users/{name}': 'administrator',
  'PUT /v1/users/{name}': 'administrator',
  'DELETE /v1/users/{name}': 'administrator',
  'DELETE /v1/users/{name}/sessions': 'administrator',
  'GET /v1/sessions': 'elevated',
  'DELETE /v1/sessions/{id}': 'elevated',
  'GET /v1/backups': 'administrator',
  'GET /v1/removed-stations': 'administrator',
  'GET /v1/retention': 'administrator',
  'GET /v1/stations/{id}/retention': 'administrator',
  'PUT /v1/stations/{id}/retention': 'administrator',
  'GET /v1/stations/{id}/sensors': 'administrator',
  'GET /v1/audit': 'administrator',
  'GET /v1/health/checks': 'administrator',
  'GET /v1/upload-keys': 'administrator',
  'POST /v1/upload-keys': 'administrator',
  'DELETE /v1/upload-keys/{id}': 'administrator',
  'POST /v1/upload-keys/{id}/rotate': 'administrator',
  'GET /v1/upload-keys/{id}/mappings': 'administrator',
  'PUT /v1/upload-keys/{id}/mappings': 'administrator',
  'GET /v1/settings/uploads': 'administrator',
  'PUT /v1/settings/uploads': 'administrator',
  'GET /v1/uploads': 'administrator',
  'GET /v1/uploads/pending': 'administrator',
  'POST /v1/uploads/pending/{id}/approve': 'administrator',
  'GET /v1/hooks/{name}': 'administrator',
  'GET /v1/sources/{name}': 'administrator',
  'GET /v1/alarms/{name}': 'administrator',
  'GET /v1/hooks': 'administrator',
  'GET /v1/sources': 'administrator',
  'PUT /v1/hooks/{name}': 'administrator',
  'PUT /v1/sources/{name}': 'administrator',
  'DELETE /v1/hooks/{name}': 'administrator',
  'DELETE /v1/sources/{name}': 'administrator',
  'POST /v1/hooks/{name}/pause': 'administrator',
  'POST /v1/sources/{name}/pause': 'administrator',
  'DELETE /v1/sources/{name}/gaps': 'administrator',
  'POST /v1/hooks/{name}/resume': 'administrator',
  'POST /v1/sources/{name}/resume': 'administrator',
  'POST /v1/hooks/{name}/test': 'administrator',
  'POST /v1/sources/{name}/test': 'administrator',
  'GET /v1/forecasts': 'administrator',
  'GET /v1/forecasts/{id}': 'administrator',
  'PUT /v1/forecasts/{id}': 'administrator',
  'DELETE /v1/forecasts/{id}': 'administrator',
  'GET /v1/alarms': 'administrator',
  'PUT /v1/alarms/{name}': 'administrator',
  'DELETE /v1/alarms/{name}': 'administrator',
  'POST /v1/alarms/{name}/test': 'administrator',
  'POST /v1/imports': 'administrator',
  'POST /v1/imports/{id}/undo': 'administrator',
  'GET /v1/imports': 'administrator without the password',
  'GET /v1/imports/{id}': 'administrator without the password',
  'GET /v1/imports/{id}/events': 'administrator without the password',
  'PUT /v1/imports/{id}/answers': 'administrator without the password',
  'DELETE /v1/imports/{id}': 'administrator without the password',
};

const USERS: Readonly<Record<string, { administrator?: boolean; stations?: StationGrant }>> = {
  reader: {},
  'writer of this station': { stations: ['JFK'] },
  'writer of another': { stations: ['LGA'] },
  'writer of all': { stations: '*' },
  administrator: { administrator: true },
};
const WRITERS = new Set(['writer of this station', 'writer of all', 'administrator']);
const REACHED = { status: 417, error: 'EXPECTATION_FAILED' };

/** The expected reply to a user: `REACHED` if the user may call the route. */
function expected(needed: Needed, user: string | undefined, elevated: boolean): object {
  if (needed === 'nothing') return REACHED;
  if (user === undefined) return { status: 401, error: 'AUTH_TOKEN_INVALID' };
  if (needed === 'token') return REACHED;
  if (!elevated && needed !== 'administrator without the password')
    return { status: 401, error: 'AUTH_ELEVATION_REQUIRED' };
  if (needed === 'elevated') return REACHED;
  const may = needed === 'writer' ? WRITERS.has(user) : user === 'administrator';
  return may ? REACHED : { status: 403, error: 'AUTH_NOT_ALLOWED' };
}

/** An endpoint with the same declaration that does nothing. It replies `REACHED` to a call that is allowed. */
function withoutEffect({ body: _body, query: _query, ...endpoint }: AnyEndpoint): AnyEndpoint {
  const call = () => {
    throw new ProtocolError('EXPECTATION_FAILED', 'Reached.');
  };
  return { ...endpoint, ignoresQuery: true, call };
}

async function makeWorld(): Promise<World> {
  const world = await World.make();
  for (const id of ['JFK', 'LGA']) await addStation(world, { id });
  for (const [user, rights] of Object.entries(USERS)) {
    const account = { name: nameOf(user), email: null, password: 'correct horse', ...rights };
    await world.get(AddUser).execute(account, CALLER);
  }
  return world;
}

const nameOf = (user: string) => user.replaceAll(' ', '-');

for (const [transport, load] of serviceTransports) {
  describe(`roles › ${transport}`, () => {
    let world: World;
    let api: RunningApi;
    let client: Client;
    let endpoints: readonly AnyEndpoint[];
    const start = async (served: readonly AnyEndpoint[]) => {
      const authorize = world.get(Authorize);
      api = await runApi(await load(), {
        endpoints: served,
        authorize: (token, access) => authorize.execute({ token, ...access }),
      });
      client = new Client(api.url);
    };
    const tokenOf = async (user: string, elevated: boolean) => {
      const token = await world.signIn(nameOf(user));
      return elevated ? await world.elevate(token) : token;
    };

    beforeEach(async () => {
      world = await makeWorld();
      endpoints = makeExternalEndpoints(world.container, 'token', UPLOAD_REACH);
    });
    afterEach(() => api.server.close(1000));

    it('allow each user on each route what the role allows', async () => {
      await start(endpoints.map(withoutEffect));
      const routes = endpoints.map(({ method, path }) => `${method} ${path}`);
      expect(routes, 'a route without a role in this table').to.have.members(Object.keys(NEEDED));
      const callers: { user: string | undefined; elevated: boolean }[] = [
        { user: undefined, elevated: false },
        ...Object.keys(USERS).map((user) => ({ user, elevated: false })),
        ...Object.keys(USERS).map((user) => ({ user, elevated: true })),
      ];
      for (const { user, elevated } of callers) {
        const token = user === undefined ? undefined : await tokenOf(user, elevated);
        for (const { method, path, query } of endpoints) {
          // The query is validated after the token. Most queries are optional.
          const asked = query === undefined ? path : `${path}?${REQUIRED[`${method} ${path}`] ?? ''}`;
          const target = asked
            .replace('{id}', path.startsWith('/v1/upload-keys/') ? '1' : 'JFK')
            .replace('{overrule}', 'none')
            .replace('{name}', 'reader')
            .replace('{file}', '2013.txt')
            .replace('{month}', '2013-07.parquet');
          const { status, error } = await client.send(method, target, token);
          const needed = NEEDED[`${method} ${path}`] as Needed;
          expect(
            { status, error },
            `${method} ${path} by ${user ?? 'nobody'}, elevated: ${elevated}`,
          ).to.deep.equal(expected(needed, user, elevated));
        }
      }
    });

    it('refuse a user who may not write before the body is read', async () => {
      await start(endpoints);
      const token = await tokenOf('writer of another', true);
      const headers = [`Authorization: Bearer ${token}`, 'Content-Type: application/json'];
      const { status } = await client.ask('POST', '/v1/stations/JFK/observations', headers, '{nonsense');
      expect(status).to.equal(403);
    });

    it('are checked with every request: a grant or withdrawal applies to existing tokens', async () => {
      await start(endpoints);
      const token = await tokenOf('reader', true);
      const write = async (station: string) => {
        const body = { time: ['2026-01-31T12:00:00Z'], air_temperature: [3] };
        const { status, error } = await client.send(
          'POST',
          `/v1/stations/${station}/observations`,
          token,
          body,
        );
        return error ?? status;
      };
      const change = (how: 'grant' | 'withdraw', stations: StationGrant) =>
        world.get(ChangeUser).execute({ name: 'reader', stations: { how, stations } }, CALLER);
      expect(await write('JFK')).to.equal('AUTH_NOT_ALLOWED');
      await change('grant', ['JFK']);
      expect([await write('JFK'), await write('LGA')]).to.deep.equal([200, 'AUTH_NOT_ALLOWED']);
      await change('withdraw', ['JFK']);
      expect(await write('JFK')).to.equal('AUTH_NOT_ALLOWED');
      await change('grant', '*');
      expect([await write('LGA'), await write('none')]).to.deep.equal([200, 'STATION_UNKNOWN']);
      await change('withdraw', '*');
      expect(await write('LGA')).to.equal('AUTH_NOT_ALLOWED');
    });

    it('of a writer end with the station: it is unknown after its removal, and a new one is not granted', async () => {
      await start(endpoints);
      const [writer, root] = [
        await tokenOf('writer of this station', true),
        await tokenOf('administrator', true),
      ];
      const write = async () => {
        const body = { time: ['2026-01-31T12:00:00Z'], air_temperature: [3] };
        const answer = await client.send('POST', '/v1/stations/JFK/observations', writer, body);
        return answer.error ?? answer.status;
      };
      const place = { name: 'New', latitude: 1, longitude: 2, time_zone: 'UTC' };
      const put = () => client.send('PUT', '/v1/stations/JFK', root, place);
      expect(await write()).to.equal(200);
      expect((await client.send('DELETE', '/v1/stations/JFK', root)).status).to.equal(200);
      expect(await write()).to.equal('STATION_UNKNOWN');
      expect(await put()).to.include({ status: 409, error: 'STATION_REMOVED' });
      expect((await client.send('POST', '/v1/stations/JFK/restore', root)).status).to.equal(200);
      expect(await write()).to.equal(200);
      await world.get(EraseStation).execute('JFK', CALLER);
      expect((await put()).status).to.equal(201);
      expect(await write()).to.equal('AUTH_NOT_ALLOWED');
    });

    it('are set over HTTP, and stay where the request does not name stations', async () => {
      await start(endpoints);
      const root = await tokenOf('administrator', true);
      const put = async (name: string, more: object) => {
        const user = { email: null, enabled: true, administrator: false, ...more };
        return await client.send('PUT', `/v1/users/${name}`, root, user);
      };
      const stations = async (name: string) => {
        const { user } = (await client.send('GET', `/v1/users/${name}`, root)).body as {
          user: { stations: unknown };
        };
        return user.stations;
      };
      expect((await put('new', { password: 'a long password' })).status).to.equal(201);
      expect(await stations('new')).to.deep.equal([]);
      await put('new', { stations: ['LGA', 'JFK'] });
      await put('new', {});
      expect(await stations('new')).to.deep.equal(['JFK', 'LGA']);
      expect(await put('new', { stations: ['none'] })).to.include({ status: 404, error: 'STATION_UNKNOWN' });
      expect(await put('new', { stations: 'JFK' })).to.include({ status: 400, error: 'REQUEST_INVALID' });
      await put('new', { stations: '*' });
      expect(await stations('new')).to.equal('*');
      await put('new', { stations: [] });
      expect(await stations('new')).to.deep.equal([]);
    });
  });
}

/** Queries that are required. */
const REQUIRED: Readonly<Record<string, string>> = {
  'GET /v1/places': 'bbox=10,59,11,60',
  'DELETE /v1/stations/{id}/observations': 'from=2013-01-01&to=2013-01-02',
  'GET /v1/stations/{id}/summaries': 'interval=day',
  'GET /v1/stations/{id}/derived': 'variables=heat_index',
};

describe('roles › internal API', () => {
  it('has no roles: the secret, or the machine, decides who may call', async () => {
    const endpoints = makeInternalEndpoints((await World.make()).container, true);
    for (const { method, path, access } of endpoints) expect(access, `${method} ${path}`).to.equal('public');
  });
});
