import { expect } from 'chai';
import type { AnyEndpoint } from '#adapters/http/core/endpoint.js';
import { uploadKeyAccess } from '#adapters/http/external/upload-key-access.js';
import { header } from '#transport-suite/raw-http.js';
import { Authorize } from '#application/accounts/sessions/authorize.js';
import { AuthorizeUploadKey } from '#application/uploads/keys/authorize-upload-key.js';
import { RemoveStation } from '#application/stations/remove-station.js';
import { makeExternalEndpoints } from '#composition/modules/endpoints.js';
import { type RunningApi, runApi, serviceTransports } from '../../support/api-server.js';
import { type Answer, Client } from '../../support/client.js';
import { addStation } from '../../support/weather-world.js';
import { CALLER, UPLOAD_REACH, World } from '../../support/world.js';

interface UploadKey {
  readonly number: number;
  readonly station: string | null;
  readonly mappings: readonly object[];
  readonly settings: object;
  readonly previous_until: string | null;
}

const ROWS = { time: ['2026-01-31T12:00:00Z'], air_temperature: [3.9] };
/** Queries of routes that need one, by the last segment of the path. */
const SEARCHES: Readonly<Record<string, string>> = {
  derived: '?variables=heat_index',
  places: '?bbox=10,59,11,60',
};
const secretOf = ({ body }: Answer) => body['key'] as string;
const keyOf = ({ body }: Answer) => body['upload_key'] as UploadKey;

for (const [transport, load] of serviceTransports) {
  describe(`upload keys over HTTP › ${transport}`, () => {
    let world: World;
    let api: RunningApi;
    let client: Client;
    let endpoints: readonly AnyEndpoint[];
    let root: string;

    beforeEach(async () => {
      world = await World.make();
      for (const id of ['garden', 'roof']) await addStation(world, { id });
      await world.addUser('root', true);
      root = await world.elevate(await world.signIn('root'));
      endpoints = makeExternalEndpoints(world.container, 'token', UPLOAD_REACH);
      const authorize = world.get(Authorize);
      api = await runApi(await load(), {
        endpoints,
        authorize: (token, access) => authorize.execute({ token, ...access }),
        uploadKeys: uploadKeyAccess(world.get(AuthorizeUploadKey)),
      });
      client = new Client(api.url);
    });
    afterEach(() => api.server.close(1000));

    const add = (body: object = { station: 'garden' }) => client.send('POST', '/v1/upload-keys', root, body);
    const post = async (key: string, station = 'garden') => {
      const { status, error } = await client.send('POST', `/v1/stations/${station}/observations`, key, ROWS);
      return error ?? status;
    };

    it('are shown once, with what to type for the address by which the API is reached', async () => {
      const made = await add({
        station: 'garden',
        note: 'shed',
        settings: { wind_unit: 'm/s', gauge: 'piezo' },
      });
      expect(made.status).to.equal(201);
      expect(header(made.reply, 'cache-control')).to.equal('no-store');
      const secret = secretOf(made);
      expect(secret).to.match(/^[0-9a-hjkmnp-tv-z]{26}$/);
      const [ecowitt] = made.body['endpoints'] as Record<string, unknown>[];
      expect(ecowitt).to.include({ server: 'localhost', port: 8082, path: `/u/${secret}/` });
      expect(made.body['warnings']).to.deep.equal([]);
      expect(keyOf(made)).to.deep.include({ station: 'garden', note: 'shed', weak: false });
      const listed = await client.send('GET', '/v1/upload-keys?station=garden', root);
      expect(listed.body['upload_keys']).to.deep.equal([keyOf(made)]);
      for (const path of ['/v1/upload-keys', '/v1/audit'])
        expect((await client.send('GET', path, root)).reply.body).not.to.contain(secret);
      expect(JSON.stringify(api.log)).not.to.contain(secret);
    });

    it('write observations of their station as bearer token, without elevation, and are named in the audit trail', async () => {
      const key = secretOf(await add());
      expect(await post(key)).to.equal(200);
      expect(await post(key.toUpperCase().replace(/(.{13})/, '$1-'))).to.equal(200);
      const [event] = await world.stores.audit.list(1);
      expect(event).to.include({ action: 'observations-write', actor: 'upload key 1', subject: 'garden' });
    });

    it('can do nothing else on any route', async () => {
      const key = secretOf(await add());
      const other = secretOf(await add({ station: 'roof' }));
      for (const { method, path, access, query } of endpoints) {
        if (access === 'public') continue;
        const target = path
          .replace('{id}', path.startsWith('/v1/upload-keys/') ? '1' : 'garden')
          .replace('{name}', 'root')
          .replace(/\{\w+\}/u, '2013.txt');
        const search = query === undefined ? '' : (SEARCHES[path.split('/').at(-1) ?? ''] ?? '');
        const { status, error } = await client.send(method, target + search, key);
        const expected =
          typeof access !== 'string' && access.uploadKey === true
            ? [415, 'MEDIA_TYPE_UNSUPPORTED']
            : [401, 'AUTH_TOKEN_INVALID'];
        expect([status, error], `${method} ${path}`).to.deep.equal(expected);
      }
      expect(
        endpoints.filter(({ access }) => typeof access !== 'string' && access.uploadKey === true),
      ).to.have.length(1);
      for (const station of ['garden', 'nowhere'])
        expect(await post(other, station), station).to.equal('AUTH_NOT_ALLOWED');
      expect(await post(other, 'roof')).to.equal(200);
    });

    it('are refused before the body is read', async () => {
      const key = secretOf(await add());
      const headers = (token: string) => [`Authorization: Bearer ${token}`, 'Content-Type: application/json'];
      const ask = (token: string) =>
        client.ask('POST', '/v1/stations/roof/observations', headers(token), '{nonsense');
      expect(await ask(key)).to.include({ status: 403, error: 'AUTH_NOT_ALLOWED' });
      const wrong = await ask('0'.repeat(26));
      expect(wrong).to.include({ status: 401, error: 'AUTH_TOKEN_INVALID' });
      expect(wrong.challenge).to.equal('Bearer error="invalid_token"');
    });

    it('rotate: both secrets are accepted during the overlap, and only the new one after it', async () => {
      const key = secretOf(await add());
      const rotated = await client.send('POST', '/v1/upload-keys/1/rotate', root, { overlap: 600 });
      const fresh = secretOf(rotated);
      expect(rotated.status).to.equal(200);
      expect(header(rotated.reply, 'cache-control')).to.equal('no-store');
      expect([await post(key), await post(fresh)]).to.deep.equal([200, 200]);
      world.clock.time += 600_000;
      expect([await post(key), await post(fresh)]).to.deep.equal(['AUTH_TOKEN_INVALID', 200]);
    });

    it('end with their revocation, and rest while their station is removed', async () => {
      const [key, other] = [secretOf(await add()), secretOf(await add())];
      const revoked = await client.send('DELETE', '/v1/upload-keys/1', root);
      expect(revoked.status).to.equal(200);
      expect([await post(key), await post(other)]).to.deep.equal(['AUTH_TOKEN_INVALID', 200]);
      await world.get(RemoveStation).execute('garden', CALLER);
      expect(await post(other)).to.equal('AUTH_NOT_ALLOWED');
      const listed = await client.send('GET', '/v1/upload-keys', root);
      expect((listed.body['upload_keys'] as UploadKey[])[0]).to.include({ number: 2, station: null });
    });

    it('map fields: all at once, with the settings that are given', async () => {
      await add();
      const mappings = [
        { field: 'temp3f', variable: 'soil_temperature', unit: '°F', scale: 2, offset: -0.4 },
        { field: 'temp1f', variable: 'air_temperature', station: 'roof' },
      ];
      const put = (body: object, number: number | string = 1) =>
        client.send('PUT', `/v1/upload-keys/${number}/mappings`, root, body);
      const mapped = await put({ mappings, settings: { wind_unit: 'm/s' } });
      expect(keyOf(mapped)).to.deep.include({
        mappings,
        settings: { wind_unit: 'm/s', gauge: null, rain: true },
      });
      expect(keyOf(await put({ mappings: [] }))).to.deep.include({
        mappings: [],
        settings: { wind_unit: 'm/s', gauge: null, rain: true },
      });
      expect(await world.auditTrail()).to.include('upload-key-map done 1');
    });

    it('have an error for each mistake', async () => {
      await add();
      const one = { field: 'temp3f', variable: 'soil_temperature' };
      const put = (body: object) => ['PUT', '/v1/upload-keys/1/mappings', body] as const;
      for (const [method, path, body, status, error] of [
        ['POST', '/v1/upload-keys', { station: 'none' }, 404, 'STATION_UNKNOWN'],
        ['POST', '/v1/upload-keys', {}, 400, 'REQUEST_INVALID'],
        ['POST', '/v1/upload-keys', { station: 'garden', note: 'a\nb' }, 400, 'REQUEST_INVALID'],
        ['POST', '/v1/upload-keys', { station: 'garden', more: 1 }, 400, 'REQUEST_INVALID'],
        ['POST', '/v1/upload-keys', { station: 'garden', settings: { gauge: 'x' } }, 400, 'REQUEST_INVALID'],
        ['GET', '/v1/upload-keys?station=none', undefined, 404, 'STATION_UNKNOWN'],
        ['POST', '/v1/upload-keys/9/rotate', {}, 404, 'UPLOAD_KEY_UNKNOWN'],
        ['POST', '/v1/upload-keys/1/rotate', { overlap: -1 }, 400, 'REQUEST_INVALID'],
        ['POST', '/v1/upload-keys/1/rotate', { overlap: 1e9 }, 400, 'REQUEST_INVALID'],
        ['DELETE', '/v1/upload-keys/9', undefined, 404, 'UPLOAD_KEY_UNKNOWN'],
        ['DELETE', '/v1/upload-keys/garden', undefined, 400, 'REQUEST_INVALID'],
        ['PUT', '/v1/upload-keys/9/mappings', { mappings: [] }, 404, 'UPLOAD_KEY_UNKNOWN'],
        [...put({ mappings: [{ ...one, variable: 'warmth' }] }), 400, 'REQUEST_INVALID'],
        [...put({ mappings: [{ ...one, unit: 'hPa' }] }), 400, 'REQUEST_INVALID'],
        [...put({ mappings: [{ ...one, scale: 0 }] }), 400, 'REQUEST_INVALID'],
        [...put({ mappings: [{ ...one, station: 'none' }] }), 404, 'STATION_UNKNOWN'],
        [...put({ mappings: [one, one] }), 400, 'REQUEST_INVALID'],
        [...put({ mappings: [one, { ...one, field: 'temp4f' }] }), 400, 'REQUEST_INVALID'],
      ] as const)
        expect(
          await client.send(method, path, root, body),
          `${method} ${path} ${JSON.stringify(body)}`,
        ).to.include({
          status,
          error,
        });
    });
  });
}
