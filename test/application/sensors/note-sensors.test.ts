import { expect } from 'chai';
import { Housekeep } from '#application/operation/housekeep.js';
import type { StoredRecord } from '#application/ports/record-store.js';
import { ListSensors } from '#application/sensors/list-sensors.js';
import { NoteSensors, type SensorSender } from '#application/sensors/note-sensors.js';
import { EraseStation } from '#application/stations/erase-station.js';
import { RemoveStation } from '#application/stations/remove-station.js';
import { StationDirectory } from '#application/stations/station-directory.js';
import { RevokeUploadKey } from '#application/uploads/keys/revoke-upload-key.js';
import { DomainError } from '#domain/domain-error.js';
import type { SensorState } from '#domain/sensors/sensor-state.js';
import { MILLISECONDS } from '#domain/time.js';
import { readsBetween } from '../../support/reads-between.js';
import { addKey, reading, send } from '../../support/uploads-world.js';
import { addStation } from '../../support/weather-world.js';
import { CALLER, World } from '../../support/world.js';

const { minute, hour, day } = MILLISECONDS;
const ROOF: SensorSender = { source: 'roof' };

describe('The sensors of a station', () => {
  let world: World;
  let station: number;
  let written: StoredRecord[];
  /** What `put` does before it writes. */
  let interrupt: () => void;
  beforeEach(async () => {
    world = await World.make();
    await addStation(world);
    station = (await world.get(StationDirectory).current()).byId.get('JFK')?.number as number;
    written = [];
    interrupt = () => undefined;
    const { storedRecords } = world.stores;
    const put = storedRecords.put.bind(storedRecords);
    storedRecords.put = (records) => {
      interrupt();
      written.push(...records);
      return put(records);
    };
  });

  const wait = (milliseconds: number, of = world) => {
    of.clock.time += milliseconds;
    of.clock.up += milliseconds;
  };
  const note = (state: Omit<SensorState, 'sensor'>, of = world, sensor = 'iss 1', sender = ROOF) =>
    of.get(NoteSensors).note(station, sender, [{ sensor, ...state }], of.clock.time);
  const flush = (force = false, of = world) => of.get(NoteSensors).flush(force);
  const names = () => written.splice(0).map(({ name }) => name);
  const list = (of = world) => of.get(ListSensors).execute('JFK');
  const percents = async (of = world) =>
    (await list(of)).map(({ sensor, points }) => [sensor, ...points.map((point) => point.batteryPercent)]);
  /** The service after a crash: what was not written is lost. */
  const restarted = async () => {
    const after = await World.make({}, world.stores);
    Object.assign(after.clock, { time: world.clock.time, up: world.clock.up });
    return after;
  };
  const record = () => `sensors/${station}/source roof/iss 1`;

  it('are written at once with a low battery, otherwise after ten minutes with a change, or six hours', async () => {
    note({ batteryPercent: 80 });
    await flush();
    expect(names()).to.deep.equal([record()]);
    wait(hour);
    note({ batteryPercent: 70 });
    await flush();
    expect(names()).to.deep.equal([]);
    wait(10 * minute);
    await flush();
    expect(names()).to.deep.equal([record()]);
    note({ batteryPercent: 5 });
    await flush();
    expect(names()).to.deep.equal([record()]);
    for (let count = 0; count < 5; count += 1) {
      wait(hour);
      note({ batteryPercent: 5 });
      await flush();
    }
    expect(names()).to.deep.equal([]);
    wait(hour);
    note({ batteryPercent: 5 });
    wait(hour);
    await flush();
    expect(names()).to.deep.equal([record()]);
    await flush(true);
    expect(names()).to.deep.equal([]);
  });

  it('are the same before and after they are written, and for another process', async () => {
    note({ batteryPercent: 80, signal: -70 });
    wait(hour);
    note({ batteryPercent: 60, signal: -70 });
    wait(minute);
    note({ batteryPercent: 60, signal: -90 });
    const before = await list();
    expect(before).to.have.length(1);
    await flush(true);
    expect(await list()).to.deep.equal(before);
    expect(await list(await restarted())).to.deep.equal(before);
  });

  it('are whole at any moment of a write', async () => {
    note({ batteryPercent: 80 });
    const reads = readsBetween(world.stores.storedRecords, () => percents());
    await flush(true);
    for (const found of await Promise.all(reads)) expect(found).to.deep.equal([['iss 1', 80]]);
    expect(reads).to.have.length.above(1);
  });

  it('lose only what was not written when the service ends between, and a start writes nothing', async () => {
    note({ batteryPercent: 80 });
    await flush();
    wait(hour);
    note({ batteryPercent: 70 });
    const after = await restarted();
    expect(await percents(after)).to.deep.equal([['iss 1', 80]]);
    wait(hour, after);
    note({ batteryPercent: 60 }, after);
    await flush(true, after);
    expect(await percents(after)).to.deep.equal([['iss 1', 80, 60]]);
    names();
    const again = await restarted();
    wait(2 * hour, again);
    note({ batteryPercent: 60 }, again);
    await flush(false, again);
    expect(names()).to.deep.equal([]);
    expect(await percents(again)).to.deep.equal([['iss 1', 80, 60]]);
  });

  it('are not lost if the store fails, and what is noted meanwhile is kept', async () => {
    note({ batteryPercent: 80 });
    interrupt = () => {
      throw new DomainError('STORE_UNAVAILABLE', 'The store is not available.');
    };
    await flush().catch(() => undefined);
    interrupt = () => undefined;
    await flush();
    expect(names()).to.deep.equal([record()]);
    wait(hour);
    note({ batteryPercent: 90 });
    interrupt = () => {
      wait(hour);
      note({ batteryPercent: 70 });
      throw new DomainError('STORE_UNAVAILABLE', 'The store is not available.');
    };
    const failure = await flush(true).catch((error: unknown) => error);
    expect(failure).to.include({ code: 'STORE_UNAVAILABLE' });
    interrupt = () => undefined;
    await flush();
    expect(await percents(await restarted())).to.deep.equal([['iss 1', 80, 90, 70]]);
  });

  it('of several instances are one history', async () => {
    const other = await restarted();
    note({ batteryPercent: 80 });
    wait(hour, other);
    note({ batteryPercent: 70 }, other);
    await Promise.all([flush(), flush(false, other)]);
    await Promise.all([flush(true), flush(true, other)]);
    expect(await percents(await restarted())).to.deep.equal([['iss 1', 80, 70]]);
  });

  it('of a sender are at most 64, and a sensor of which nothing is known is none', async () => {
    for (let index = 0; index < 100; index += 1) note({ batteryPercent: 80 }, world, `sensor ${index}`);
    note({}, world, 'unknown', { source: 'other' });
    note({ batteryPercent: 80 }, world, 'a/b\u0000c', { source: 'other' });
    const shown = await list();
    expect(shown).to.have.length(65);
    expect(shown[0]).to.deep.include({ sensor: 'a/b c', sender: { source: 'other' } });
  });

  it('begin again if their record is damaged', async () => {
    const damaged = { name: record(), key: null, revision: 0, text: '{"points":', time: 1 };
    await world.stores.storedRecords.put([damaged]);
    expect(await list()).to.deep.equal([]);
    note({ batteryPercent: 80 });
    await flush();
    expect(await percents(await restarted())).to.deep.equal([['iss 1', 80]]);
  });

  it('are read from the batteries of uploads, and end with their key', async () => {
    const { secret, number } = await addKey(world);
    const batteries = { wh65batt: 'low', wh40batt: '1.4 V', ws90batt: 'mains', soilbatt1: '60 %' };
    const push = (value: number) =>
      send(world, {
        sender: { key: secret },
        readings: [reading('air_temperature', value)],
        device: { batteries },
      });
    await push(1);
    await flush();
    const shown = (await list()).map(({ sensor, sender, isLow }) => [sensor, sender, isLow]);
    expect(shown).to.deep.equal([
      ['soilbatt1', { key: number }, false],
      ['wh40batt', { key: number }, false],
      ['wh65batt', { key: number }, true],
    ]);
    await world.get(RevokeUploadKey).execute(number, CALLER);
    wait(day);
    world
      .get(NoteSensors)
      .note(station, { key: number }, [{ sensor: 'wh65batt', isBatteryLow: false }], world.clock.time);
    for (let round = 0; round < 5; round += 1) await flush(true);
    expect(await list()).to.deep.equal([]);
  });

  it('end with their station, and are forgotten 400 days after their last report', async () => {
    note({ batteryPercent: 80 });
    await flush();
    wait(day);
    note({ batteryPercent: 70 });
    await world.get(RemoveStation).execute('JFK', CALLER);
    names();
    await flush(true);
    expect(names()).to.deep.equal([]);
    await world.get(EraseStation).execute('JFK', CALLER);
    await world.get(Housekeep).execute();
    const left = async () => (await world.stores.storedRecords.records('sensors/')).map(({ name }) => name);
    expect(await left()).to.deep.equal([]);
    await addStation(world);
    station = (await world.get(StationDirectory).current()).byId.get('JFK')?.number as number;
    note({ batteryPercent: 80 });
    await flush();
    wait(399 * day);
    await world.get(Housekeep).execute();
    expect(await left()).to.deep.equal([record()]);
    wait(2 * day);
    await world.get(Housekeep).execute();
    expect(await left()).to.deep.equal([]);
  });
});
