import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import sinon from 'sinon';
import type { Announcement } from '#application/ports/announcer.js';
import { ChangeStations } from '#application/stations/change-stations.js';
import { EraseStation } from '#application/stations/erase-station.js';
import { RemoveStation } from '#application/stations/remove-station.js';
import { RestoreStation } from '#application/stations/restore-station.js';
import { StationDirectory } from '#application/stations/station-directory.js';
import * as tokens from '#composition/graph/tokens.js';
import { rejectionOf } from '../../support/rejection.js';
import { addStation } from '../../support/weather-world.js';
import { CALLER, World } from '../../support/world.js';

describe('changes of stations', () => {
  let world: World;
  let announced: Announcement['kind'][];
  beforeEach(async () => {
    world = await World.make();
    await addStation(world, { id: 'a' });
    await setImmediate();
    announced = [];
    world.get(tokens.Announcer).subscribe(['stations'], ({ kind }) => announced.push(kind));
  });

  const CHANGES = [
    ['change', () => world.get(ChangeStations).execute([{ id: 'a', change: { name: 'A' } }], CALLER)],
    ['remove', () => world.get(RemoveStation).execute('a', CALLER)],
    ['erase', () => world.get(EraseStation).execute('a', CALLER)],
  ] as const;

  for (const [name, change] of CHANGES) {
    it(`are announced after the commit, and not where there was none: ${name}`, async () => {
      await change();
      await setImmediate();
      expect(announced).to.deep.equal(['stations']);
    });
  }

  it('are announced once for a restored station, and not for one that was not removed', async () => {
    await world.get(RestoreStation).execute('a', CALLER);
    await setImmediate();
    expect(announced).to.deep.equal([]);
    await world.get(RemoveStation).execute('a', CALLER);
    await world.get(RestoreStation).execute('a', CALLER);
    await setImmediate();
    expect(announced).to.deep.equal(['stations', 'stations']);
  });

  it('are neither announced nor in the audit trail if they fail', async () => {
    const before = await world.auditTrail();
    for (const refused of [
      world.get(ChangeStations).execute([{ id: 'nobody', change: { name: 'A' } }], CALLER),
      world.get(RemoveStation).execute('nobody', CALLER),
      world.get(RestoreStation).execute('nobody', CALLER),
      world.get(EraseStation).execute('nobody', CALLER),
    ])
      await rejectionOf(refused);
    await setImmediate();
    expect(announced).to.deep.equal([]);
    expect(await world.auditTrail()).to.deep.equal(before);
  });

  it('are in the audit trail although the service ends right after the commit', async () => {
    const { stations, audit } = world.stores;
    const lost = new Error('the process has ended');
    for (const method of ['append', 'appendAll', 'tally'] as const) sinon.stub(audit, method).rejects(lost);
    for (const method of ['change', 'hide', 'restore', 'remove'] as const) {
      const original = stations[method].bind(stations) as (...parameters: unknown[]) => Promise<unknown>;
      sinon.stub(stations, method).callsFake(async (...parameters: unknown[]): Promise<never> => {
        await original(...parameters);
        throw lost;
      });
    }
    for (const ended of [
      () => world.get(ChangeStations).execute([{ id: 'a', change: { name: 'A' } }], CALLER),
      () => world.get(RemoveStation).execute('a', CALLER),
      () => world.get(RestoreStation).execute('a', CALLER),
      () => world.get(EraseStation).execute('a', CALLER),
    ])
      expect(await rejectionOf(ended())).to.equal(lost);
    expect((await world.auditTrail()).slice(-4)).to.deep.equal([
      'station-put done a',
      'station-remove done a',
      'station-restore done a',
      'station-erase done a',
    ]);
  });

  it('are read by the directory at once, so that the next caller does not wait for the list', async () => {
    const directory = world.get(StationDirectory);
    await directory.current();
    const list = sinon.spy(world.stores.stations, 'list');
    await world.get(ChangeStations).execute([{ id: 'a', change: { name: 'A' } }], CALLER);
    await setImmediate();
    await setImmediate();
    expect(list.callCount).to.equal(1);
    expect((await directory.current()).list[0]?.name).to.equal('A');
    expect(list.callCount).to.equal(1);
  });

  it('are read once for many changes while the directory is not used', async () => {
    const directory = world.get(StationDirectory);
    await directory.current();
    const list = sinon.spy(world.stores.stations, 'list');
    for (const name of ['A', 'B', 'C']) {
      await world.get(ChangeStations).execute([{ id: 'a', change: { name } }], CALLER);
      await setImmediate();
      await setImmediate();
    }
    expect(list.callCount).to.equal(1);
    expect((await directory.current()).list[0]?.name).to.equal('C');
  });
});
