import { expect } from 'chai';
import { UploadStatuses } from '#application/uploads/status/upload-statuses.js';
import { RevokeUploadKey } from '#application/uploads/keys/revoke-upload-key.js';
import { Housekeep } from '#application/operation/housekeep.js';
import { ListUploadStatus } from '#application/uploads/status/list-upload-status.js';
import { DomainError } from '#domain/domain-error.js';
import { MILLISECONDS } from '#domain/time.js';
import { MAX_FIELDS, MAX_RAW } from '#domain/uploads/upload-status.js';
import type { StoredRecord } from '#application/ports/record-store.js';
import { readsBetween } from '../../support/reads-between.js';
import { addKey, rain, reading, send, statusOf } from '../../support/uploads-world.js';
import { addStation } from '../../support/weather-world.js';
import { CALLER, World } from '../../support/world.js';

const { minute, hour, day } = MILLISECONDS;

describe('Upload statuses', () => {
  let world: World;
  let start: number;
  let secret: string;
  let written: StoredRecord[];
  beforeEach(async () => {
    world = await World.make();
    start = world.clock.time;
    await addStation(world);
    ({ secret } = await addKey(world));
    written = [];
    const { storedRecords: uploads } = world.stores;
    const put = uploads.put.bind(uploads);
    uploads.put = (records) => {
      written.push(...records);
      return put(records);
    };
  });

  const wait = (milliseconds: number, of = world) => {
    of.clock.time += milliseconds;
    of.clock.up += milliseconds;
  };
  const flush = (force = false, of = world) => of.get(UploadStatuses).flush(force);
  let value = 0;
  const push = (more: object = {}, of = world) =>
    send(of, { sender: { key: secret }, readings: [reading('air_temperature', (value += 1))], ...more });
  const names = () => written.splice(0).map(({ name }) => name);

  it('tell of each key when and how it was used', async () => {
    const device = { model: 'GW2000A', firmware: '3.1.9', batteries: { wh65batt: 'ok' } };
    await push({ device, counters: rain({ day: 1 }), raw: 'first' });
    wait(16_000);
    await push({ device: { ...device, firmware: '3.2.0' }, raw: 'second' });
    wait(1000);
    await push({ sender: { id: 'JFK', password: secret }, readings: [], raw: 'third' });
    wait(1000);
    await push({ time: { sent: start + day, isLive: false }, raw: 'fourth' });
    expect(await statusOf(world)).to.deep.equal({
      lastPush: start + 18_000,
      lastSuccess: start + 17_000,
      lastError: { time: start + 18_000, text: `The time is ${86_400 - 18} s in the future.` },
      counts: { stored: 2, unchanged: 1, refused: 1 },
      address: '192.0.2.7',
      dialect: 'ecowitt',
      model: 'GW2000A',
      firmware: '3.2.0',
      batteries: { wh65batt: 'ok' },
      clockSkew: 86_400 - 18,
      interval: 1,
      identity: null,
      usesPrevious: false,
      gauge: 'tipping',
      rainReport: null,
      remarks: [],
      unmapped: [],
      raw: [
        { time: start + 18_000, text: 'fourth', outcome: `The time is ${86_400 - 18} s in the future.` },
        { time: start + 17_000, text: 'third', outcome: 'unchanged' },
        { time: start + 16_000, text: 'second', outcome: 'stored' },
        { time: start, text: 'first', outcome: 'stored' },
      ],
    });
  });

  it('of a key that was not used are empty', async () => {
    const [view] = await world.get(ListUploadStatus).execute();
    expect([view?.key, view?.station, view?.weak, view?.status.lastPush]).to.deep.equal([
      1,
      'JFK',
      false,
      null,
    ]);
  });

  it('are written at once with news, otherwise every minute, and raw uploads every five minutes', async () => {
    await push();
    await flush();
    expect(names()).to.deep.equal(['status/1', 'raw/1']);
    for (let count = 0; count < 4; count += 1) {
      wait(14_000);
      await push();
      await flush();
    }
    expect(names()).to.deep.equal([]);
    wait(46_000);
    await flush();
    expect(names()).to.deep.equal(['status/1']);
    await push({ time: { sent: start + day, isLive: false } });
    await flush();
    expect(names()).to.deep.equal(['status/1', 'raw/1']);
    await flush();
    expect(names()).to.deep.equal([]);
    await push();
    await flush();
    names();
    wait(hour);
    await push();
    wait(minute);
    await flush();
    expect(names()).to.deep.equal(['status/1', 'raw/1']);
    await push();
    await flush(true);
    expect(names()).to.deep.equal(['status/1', 'raw/1']);
  });

  it('are the same before and after they are written, and for another process', async () => {
    for (let count = 0; count < 3; count += 1) {
      await push({ raw: String(count) });
      wait(1000);
    }
    const before = await statusOf(world);
    await flush(true);
    expect(await statusOf(world)).to.deep.equal(before);
    const command = await World.make({}, world.stores);
    expect(await statusOf(command)).to.deep.equal(before);
  });

  it('are whole at any moment of a write', async () => {
    await push({ raw: 'first' });
    const reads = readsBetween(world.stores.storedRecords, () => statusOf(world));
    await flush();
    for (const { counts, raw } of await Promise.all(reads))
      expect([counts.stored, raw.map(({ text }) => text)]).to.deep.equal([1, ['first']]);
  });

  it('of several instances add up', async () => {
    const other = await World.make({}, world.stores);
    other.clock.time = world.clock.time;
    await push({ raw: 'first' });
    wait(1000, other);
    await push({ raw: 'second' }, other);
    await Promise.all([flush(), flush(false, other)]);
    await Promise.all([flush(), flush(false, other)]);
    wait(1000);
    await push({ raw: 'third' });
    const { counts, raw } = await statusOf(world);
    expect([counts.stored, raw.length]).to.deep.equal([3, 3]);
  });

  it('are kept where the store fails, and written later', async () => {
    const { storedRecords: uploads } = world.stores;
    const put = uploads.put.bind(uploads);
    uploads.put = () => Promise.reject(new DomainError('STORE_UNAVAILABLE', 'gone'));
    await push();
    expect(await flush().catch((error: DomainError) => error.code)).to.equal('STORE_UNAVAILABLE');
    await push();
    uploads.put = put;
    await flush();
    const command = await World.make({}, world.stores);
    expect((await statusOf(command)).counts.stored).to.equal(2);
  });

  it('of a key that was revoked by another process are dropped', async () => {
    const command = await World.make({}, world.stores);
    await push();
    await command.get(RevokeUploadKey).execute(1, CALLER);
    for (let count = 0; count < 8; count += 1) await flush();
    expect(written.length).to.equal(10);
  });

  it('are bounded: raw uploads, fields, batteries and texts of the sender', async () => {
    for (let count = 0; count < 30; count += 1) {
      wait(2000);
      await push({
        fields: Array.from({ length: 100 }, (_, index) => ({
          name: `${count} ${index} ${'word '.repeat(60)}`,
          value: 1,
        })),
        device: {
          model: 'word '.repeat(200),
          batteries: Object.fromEntries(
            Array.from({ length: 90 }, (_, index) => [`b${count} ${index}`, 'ok']),
          ),
        },
      });
      if (count % 7 === 0) await flush(true);
    }
    const status = await statusOf(world);
    expect([status.raw.length, status.unmapped.length, status.model?.length]).to.deep.equal([
      MAX_RAW,
      MAX_FIELDS,
      64,
    ]);
    expect(Object.keys(status.batteries).length).to.equal(64);
    expect(status.unmapped.every(({ name }) => name.length <= 64)).to.equal(true);
    await flush(true);
    expect(Math.max(...written.map(({ text }) => text.length))).to.be.below(32_768);
  });

  it('keep a request with several uploads once, with what went wrong', async () => {
    await push({ raw: 'one' });
    wait(1000);
    for (let count = 0; count < 30; count += 1) await push({ raw: 'several' });
    await push({ raw: 'several', time: { sent: start + day, isLive: false } });
    wait(1000);
    await push({ raw: 'last' });
    const { raw } = await statusOf(world);
    expect(raw.map(({ text, outcome }) => [text, outcome])).to.deep.equal([
      ['last', 'stored'],
      ['several', `The time is ${86_400 - 1} s in the future.`],
      ['one', 'stored'],
    ]);
  });

  it('keep raw uploads for seven days', async () => {
    await push({ raw: 'old' });
    wait(7 * day);
    await push({ raw: 'new' });
    expect((await statusOf(world)).raw.map(({ text }) => text)).to.deep.equal(['new']);
    await flush(true);
    wait(7 * day + 1);
    await world.get(Housekeep).execute();
    expect((await world.stores.storedRecords.records('raw/')).length).to.equal(0);
    expect((await world.stores.storedRecords.records('status/')).length).to.equal(1);
  });
});
