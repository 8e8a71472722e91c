import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import sinon from 'sinon';
import type { Announcement } from '../../../src/application/ports/announcer.js';
import { ChangeStations } from '../../../src/application/stations/change-stations.js';
import { EraseStation } from '../../../src/application/stations/erase-station.js';
import { RemoveStation } from '../../../src/application/stations/remove-station.js';
import { RestoreStation } from '../../../src/application/stations/restore-station.js';
import { StationDirectory } from '../../../src/application/stations/station-directory.js';
import * as tokens from '../../../src/composition/modules/tokens.js';
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

  it('are announced even if the audit trail cannot be written, and not if the change fails', async () => {
    await rejectionOf(world.get(RemoveStation).execute('nobody', CALLER));
    await setImmediate();
    expect(announced).to.deep.equal([]);
    sinon.stub(world.stores.audit, 'append').rejects(new Error('full'));
    await rejectionOf(world.get(RemoveStation).execute('a', CALLER));
    await setImmediate();
    expect(announced).to.deep.equal(['stations']);
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
