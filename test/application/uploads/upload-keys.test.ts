import { expect } from 'chai';
import { AddUploadKey } from '#application/uploads/keys/add-upload-key.js';
import { AuthorizeUploadKey } from '#application/uploads/keys/authorize-upload-key.js';
import { ListUploadKeys } from '#application/uploads/keys/list-upload-keys.js';
import { MapUploadFields } from '#application/uploads/keys/map-upload-fields.js';
import { RevokeUploadKey } from '#application/uploads/keys/revoke-upload-key.js';
import { MAX_OVERLAP, RotateUploadKey } from '#application/uploads/keys/rotate-upload-key.js';
import { EraseStation } from '#application/stations/erase-station.js';
import type { DomainError } from '#domain/domain-error.js';
import { type FieldMapping, MAX_MAPPINGS } from '#domain/uploads/field-mapping.js';
import { readSecret } from '#domain/secret-text.js';
import { addKey, send, statusOf } from '../../support/uploads-world.js';
import { addStation } from '../../support/weather-world.js';
import { CALLER, World } from '../../support/world.js';

describe('Upload keys', () => {
  let world: World;
  beforeEach(async () => {
    world = await World.make();
    await addStation(world);
    await addStation(world, { id: 'LGA' });
  });

  const codeOf = (promise: Promise<unknown>) =>
    promise.then(
      () => 'done',
      (error: DomainError) => error.code,
    );
  const list = () => world.get(ListUploadKeys).execute();
  const authorize = (secret: string, station = 'JFK') =>
    codeOf(world.get(AuthorizeUploadKey).execute(secret, station));

  it('have a secret of 26 characters that is in no store and no list', async () => {
    const { secret, key } = await world
      .get(AddUploadKey)
      .execute({ station: 'JFK', note: ' roof ', settings: { gauge: 'piezo' } }, CALLER);
    expect(secret).to.match(/^[0-9a-hjkmnp-tv-z]{26}$/);
    expect(key).to.deep.equal({
      number: 1,
      station: 'JFK',
      note: 'roof',
      weak: false,
      madeAt: world.clock.time,
      rotatedAt: null,
      previousUntil: null,
      mappings: [],
      settings: { windUnit: 'km/h', gauge: 'piezo', rain: true },
      rainWarning: null,
    });
    expect(await list()).to.deep.equal([key]);
    expect(JSON.stringify(await world.stores.uploadKeys.keys())).not.to.contain(secret);
    expect(JSON.stringify(await world.stores.audit.list(10))).not.to.contain(secret);
  });

  it('differ, many for a station', async () => {
    const secrets = new Set<string>();
    for (let count = 0; count < 20; count += 1) secrets.add((await addKey(world)).secret);
    expect(secrets.size).to.equal(20);
    expect((await world.get(ListUploadKeys).execute('JFK')).length).to.equal(20);
    expect((await world.get(ListUploadKeys).execute('LGA')).length).to.equal(0);
  });

  it('are read as people type them', () => {
    const secret = '01abcdefghjkmnpqrstvwxyz01';
    const typed = [
      'oiabcdefghjkmnpqrstvwxyzol',
      'OLABCDEFGHJKMNPQRSTVWXYZOI',
      '01abc-defgh jkmnp qrstv-wxyz0 1',
    ];
    for (const text of typed) expect(readSecret(text)).to.equal(secret);
    for (const text of [
      '',
      'garden',
      secret.replace('z', 'u'),
      `${secret}0`,
      secret.slice(1),
      'x'.repeat(1e6),
    ])
      expect(readSecret(text)).to.equal(undefined);
  });

  it('write as bearer the observations of their station alone', async () => {
    const { secret } = await addKey(world);
    expect(await authorize(secret)).to.equal('done');
    const { lastPush, dialect } = await statusOf(world);
    expect([lastPush, dialect]).to.deep.equal([world.clock.time, 'api']);
    expect(await authorize(secret, 'LGA')).to.equal('AUTH_NOT_ALLOWED');
    expect(await authorize(secret, 'unknown')).to.equal('AUTH_NOT_ALLOWED');
    expect(await authorize('0'.repeat(26))).to.equal('AUTH_TOKEN_INVALID');
    expect(await authorize('eyJhbGciOiJSUzI1NiJ9.e30.x')).to.equal('AUTH_TOKEN_INVALID');
  });

  it('are refused at once when they are revoked, and their status is gone', async () => {
    const { secret, number } = await addKey(world);
    await send(world, { sender: { key: secret } });
    await world.get(RevokeUploadKey).execute(number, CALLER);
    expect(await send(world, { sender: { key: secret } })).to.equal('refused key');
    expect(await authorize(secret)).to.equal('AUTH_TOKEN_INVALID');
    expect(await list()).to.deep.equal([]);
    expect(await world.stores.storedRecords.records('')).to.deep.equal([]);
    expect(await codeOf(world.get(RevokeUploadKey).execute(number, CALLER))).to.equal('UPLOAD_KEY_UNKNOWN');
  });

  it('have two secrets during the overlap of a rotation, and tell which one is in use', async () => {
    const { secret, number } = await addKey(world);
    const { secret: fresh, key } = await world
      .get(RotateUploadKey)
      .execute({ number, overlap: 3600 }, CALLER);
    expect(key.number).to.equal(number);
    expect(await send(world, { sender: { key: secret } })).to.equal('stored');
    expect((await statusOf(world)).usesPrevious).to.equal(true);
    world.clock.time += 3_599_999;
    expect(await send(world, { sender: { key: fresh } })).to.equal('stored');
    expect((await statusOf(world)).usesPrevious).to.equal(false);
    expect(await authorize(secret)).to.equal('done');
    world.clock.time += 1;
    expect(await authorize(secret)).to.equal('AUTH_TOKEN_INVALID');
    expect(await authorize(fresh)).to.equal('done');
    const { secret: last } = await world.get(RotateUploadKey).execute({ number, overlap: 0 }, CALLER);
    expect([await authorize(fresh), await authorize(last)]).to.deep.equal(['AUTH_TOKEN_INVALID', 'done']);
  });

  it('go with the station that is erased', async () => {
    const { secret } = await addKey(world);
    await world.get(EraseStation).execute('JFK', CALLER);
    await addStation(world);
    expect(await send(world, { sender: { key: secret } })).to.equal('refused key');
    expect(await list()).to.deep.equal([]);
  });

  it('that another process adds or revokes count within a second, new ones at once', async () => {
    const other = await World.make({}, world.stores);
    other.clock.time = world.clock.time;
    const first = await addKey(other);
    expect(await authorize(first.secret)).to.equal('done');
    world.clock.up = other.clock.up = 500;
    const second = await addKey(other);
    expect(await authorize(second.secret)).to.equal('done');
    await other.get(RevokeUploadKey).execute(first.number, CALLER);
    world.clock.up += 1000;
    expect(await authorize(first.secret)).to.equal('AUTH_TOKEN_INVALID');
  });

  it('ask the store at most ten times a second for strangers', async () => {
    let calls = 0;
    const { uploadKeys: uploads } = world.stores;
    const version = uploads.version.bind(uploads);
    uploads.version = () => {
      calls += 1;
      return version();
    };
    for (let count = 0; count < 200; count += 1) {
      world.clock.up += 5;
      await send(world, { sender: { key: '0'.repeat(26) } });
    }
    expect(calls).to.be.within(2, 21);
  });

  describe('mappings', () => {
    const map = (mappings: readonly FieldMapping[]) =>
      codeOf(world.get(MapUploadFields).execute({ number: 1, mappings }, CALLER));
    const field = (more: Partial<FieldMapping>): FieldMapping => ({
      field: 'temp1f',
      variable: 'soil_temperature',
      ...more,
    });
    const cases: readonly (readonly [title: string, mappings: readonly FieldMapping[], code: string])[] = [
      ['no mapping', [], 'done'],
      ['everything', [field({ unit: '°F', scale: 2, offset: -1, station: 'LGA' })], 'done'],
      ['an unknown variable', [field({ variable: 'soil_temp' })], 'REQUEST_INVALID'],
      ['a wrong unit', [field({ unit: 'hPa' })], 'REQUEST_INVALID'],
      ['an unknown station', [field({ station: 'EWR' })], 'STATION_UNKNOWN'],
      ['a scale of 0', [field({ scale: 0 })], 'REQUEST_INVALID'],
      ['an offset that is not finite', [field({ offset: Infinity })], 'REQUEST_INVALID'],
      ['a counter of a mean', [field({ counter: true })], 'REQUEST_INVALID'],
      ['a counter of a sum', [field({ variable: 'lightning_strike_count', counter: true })], 'done'],
      ['a field twice', [field({}), field({ variable: 'air_temperature' })], 'REQUEST_INVALID'],
      ['a variable twice', [field({}), field({ field: 'temp2f' })], 'REQUEST_INVALID'],
      ['a variable of two stations', [field({}), field({ field: 'temp2f', station: 'LGA' })], 'done'],
      [
        'the own station by its id, twice',
        [field({}), field({ field: 'temp2f', station: 'JFK' })],
        'REQUEST_INVALID',
      ],
      ['a name with a line feed', [field({ field: 'a\nb' })], 'REQUEST_INVALID'],
      [
        'too many',
        Array.from({ length: MAX_MAPPINGS + 1 }, (_, index) => field({ field: `f${index}` })),
        'REQUEST_INVALID',
      ],
    ];
    for (const [title, mappings, code] of cases)
      it(`${title}: ${code}`, async () => {
        await addKey(world);
        expect(await map(mappings)).to.equal(code);
        expect((await list())[0]?.mappings).to.deep.equal(code === 'done' ? mappings : []);
      });

    it('stay where only a setting changes', async () => {
      await addKey(world);
      await map([field({})]);
      const key = await world
        .get(MapUploadFields)
        .execute({ number: 1, settings: { gauge: 'piezo' } }, CALLER);
      expect([key.mappings, key.settings.gauge]).to.deep.equal([[field({})], 'piezo']);
    });
  });

  it('are in the audit trail with their station and mappings', async () => {
    await addKey(world);
    await world.get(RotateUploadKey).execute({ number: 1 }, CALLER);
    const mappings = [{ field: 'a', variable: 'soil_temperature', station: 'LGA' }];
    await world.get(MapUploadFields).execute({ number: 1, mappings }, CALLER);
    await world.get(RevokeUploadKey).execute(1, CALLER);
    const events = (await world.stores.audit.list(4)).map(({ action, subject, detail }) => [
      action,
      subject,
      detail,
    ]);
    expect(events.toReversed()).to.deep.equal([
      ['upload-key-add', '1', { station: 'JFK' }],
      ['upload-key-rotate', '1', { station: 'JFK' }],
      ['upload-key-map', '1', { station: 'JFK', mappings }],
      ['upload-key-revoke', '1', { station: 'JFK' }],
    ]);
  });

  it('report what is wrong', async () => {
    const add = (input: { station: string; note?: string }) =>
      codeOf(world.get(AddUploadKey).execute(input, CALLER));
    expect(await add({ station: 'EWR' })).to.equal('STATION_UNKNOWN');
    expect(await add({ station: 'JFK', note: 'x'.repeat(201) })).to.equal('REQUEST_INVALID');
    expect(await add({ station: 'JFK', note: 'a\u0007' })).to.equal('REQUEST_INVALID');
    const rotate = (number: number, overlap: number) =>
      codeOf(world.get(RotateUploadKey).execute({ number, overlap }, CALLER));
    expect(await rotate(9, 0)).to.equal('UPLOAD_KEY_UNKNOWN');
    for (const overlap of [-1, 0.5, MAX_OVERLAP + 1])
      expect(await rotate(9, overlap)).to.equal('REQUEST_INVALID');
    expect(await codeOf(world.get(ListUploadKeys).execute('EWR'))).to.equal('STATION_UNKNOWN');
    expect(await codeOf(world.get(MapUploadFields).execute({ number: 9 }, CALLER))).to.equal(
      'UPLOAD_KEY_UNKNOWN',
    );
  });
});
