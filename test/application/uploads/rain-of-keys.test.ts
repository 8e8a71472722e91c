import { expect } from 'chai';
import { AddUploadKey } from '#application/uploads/keys/add-upload-key.js';
import { ListUploadKeys } from '#application/uploads/keys/list-upload-keys.js';
import { MapUploadFields } from '#application/uploads/keys/map-upload-fields.js';
import { RevokeUploadKey } from '#application/uploads/keys/revoke-upload-key.js';
import { RotateUploadKey } from '#application/uploads/keys/rotate-upload-key.js';
import { ApprovePendingUpload } from '#application/uploads/pending/approve-pending-upload.js';
import { ListPendingUploads } from '#application/uploads/pending/list-pending-uploads.js';
import { ListUploadStatus } from '#application/uploads/status/list-upload-status.js';
import { MILLISECONDS } from '#domain/time.js';
import { addKey, rain, reading, rowsOf, send } from '../../support/uploads-world.js';
import { addStation } from '../../support/weather-world.js';
import { CALLER, World } from '../../support/world.js';

const { minute } = MILLISECONDS;

describe('the rain of several keys of a station', () => {
  let world: World;
  let start: number;

  beforeEach(async () => {
    world = await World.make();
    start = world.clock.time = Date.UTC(2026, 10, 22, 12);
    await addStation(world);
    await addStation(world, { id: 'LGA' });
  });

  const wait = (milliseconds: number) => {
    world.clock.time += milliseconds;
    world.clock.up += milliseconds;
  };
  const amounts = async (id?: string) =>
    (await rowsOf(world, start, id)).map(
      ([, row]) => (row as { precipitation_amount?: number }).precipitation_amount ?? null,
    );
  const sum = async (id?: string) =>
    Number((await amounts(id)).reduce<number>((total, amount) => total + (amount ?? 0), 0).toFixed(6));
  const storing = async () =>
    (await world.get(ListUploadKeys).execute())
      .filter(({ settings }) => settings.rain)
      .map(({ number }) => number);
  const setRain = (number: number, stores: boolean) =>
    world.get(MapUploadFields).execute({ number, settings: { rain: stores } }, CALLER);
  /** Two consoles count 0.4 mm every minute and send it half a minute after each other. */
  const count = async (keys: readonly string[], from: number, to: number) => {
    for (let index = from; index < to; index += 1)
      for (const key of keys) {
        wait(minute / keys.length);
        const readings = [reading('air_temperature', index)];
        await send(world, {
          sender: { key },
          readings,
          counters: rain({ day: index * 0.4, year: 50 + index * 0.4 }),
        });
      }
  };

  it('is that of the first one, unless its owner says otherwise', async () => {
    const first = await addKey(world);
    const second = await addKey(world);
    const elsewhere = await addKey(world, 'LGA');
    expect(await storing()).to.deep.equal([first.number, elsewhere.number]);
    const { key } = await world
      .get(AddUploadKey)
      .execute({ station: 'JFK', settings: { rain: true } }, CALLER);
    expect(await storing()).to.deep.equal([first.number, elsewhere.number, key.number]);
    await setRain(first.number, false);
    await setRain(second.number, true);
    await world.get(RotateUploadKey).execute({ number: first.number }, CALLER);
    await world.get(RotateUploadKey).execute({ number: second.number }, CALLER);
    expect(await storing()).to.deep.equal([second.number, elsewhere.number, key.number]);
  });

  it('is stored once where two consoles count it', async () => {
    const [first, second] = [await addKey(world), await addKey(world)];
    await count([first.secret, second.secret], 0, 11);
    expect(await sum()).to.equal(4);
  });

  it('goes on without a gap and without a repetition where another key stores it from now on', async () => {
    const [first, second] = [await addKey(world), await addKey(world)];
    await count([first.secret, second.secret], 0, 11);
    await setRain(second.number, true);
    await setRain(first.number, false);
    await count([first.secret, second.secret], 11, 21);
    expect(await sum()).to.equal(8);
    await setRain(first.number, true);
    await setRain(second.number, false);
    await count([first.secret, second.secret], 21, 31);
    expect(await sum()).to.equal(12);
  });

  it('is left out too where a sender gives amounts, but not where a field is mapped to it', async () => {
    await addKey(world);
    const { secret: key, number } = await addKey(world);
    const readings = [reading('air_temperature', 1), reading('precipitation_amount', 0.6)];
    expect(await send(world, { sender: { key }, readings })).to.equal('stored');
    expect(await amounts()).to.deep.equal([null]);
    const mappings = [{ field: 'rain_of_shed', variable: 'precipitation_amount' }];
    await world.get(MapUploadFields).execute({ number, mappings }, CALLER);
    wait(minute);
    await send(world, { sender: { key }, readings, fields: [{ name: 'rain_of_shed', value: 0.2 }] });
    expect(await amounts()).to.deep.equal([null, 0.2]);
  });

  it('is stored from all keys that were made before there was a setting, and each says so', async () => {
    const [first, second] = [await addKey(world), await addKey(world)];
    for (const { number } of [first, second]) {
      const settings = { windUnit: 'km/h', gauge: null } as never;
      await world.stores.uploadKeys.change(number, { settings });
    }
    expect(await storing()).to.deep.equal([first.number, second.number]);
    await count([first.secret, second.secret], 0, 11);
    expect(await sum()).to.equal(8);
    for (const { rainWarning } of await world.get(ListUploadStatus).execute())
      expect(rainWarning).to.match(/^Key \d also stores the rain .* --rain off` /);
  });

  it('is told of where a key is made, accepted, listed and revoked', async () => {
    const first = await addKey(world);
    const view = async (number: number) =>
      (await world.get(ListUploadStatus).execute(number)).map(({ rainWarning }) => rainWarning);
    expect(await view(first.number)).to.deep.equal([null]);
    const { key } = await world.get(AddUploadKey).execute({ station: 'JFK' }, CALLER);
    const notStored = /^The rain of key \d is not stored, because key 1 stores the rain of this station/;
    expect(key.rainWarning).to.match(notStored);
    await send(world, { sender: { identity: 'AA11' } });
    const [pending] = await world.get(ListPendingUploads).execute();
    const approved = await world
      .get(ApprovePendingUpload)
      .execute({ id: pending?.id ?? '', station: 'JFK' }, CALLER);
    expect(approved.rainWarning).to.match(notStored);
    expect(await storing()).to.deep.equal([first.number]);
    for (const { number, rainWarning } of await world.get(ListUploadKeys).execute())
      expect(String(rainWarning), String(number)).to.match(number === first.number ? /^null$/ : notStored);
    expect(await world.get(RevokeUploadKey).execute(approved.number, CALLER)).to.deep.equal([]);
    const [told = ''] = await world.get(RevokeUploadKey).execute(first.number, CALLER);
    expect(told).to.equal(
      'No key stores the rain of this station. `weatherd upload map 2 --rain on` stores the rain of key 2.',
    );
    expect((await view(2)).join()).to.equal(told);
    expect((await setRain(2, true)).rainWarning).to.equal(null);
  });
});
