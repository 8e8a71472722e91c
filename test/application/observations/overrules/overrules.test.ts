import { expect } from 'chai';
import sinon from 'sinon';
import { AddOverrule } from '../../../../src/application/observations/overrules/add-overrule.js';
import { ListOverrules } from '../../../../src/application/observations/overrules/list-overrules.js';
import { RemoveOverrule } from '../../../../src/application/observations/overrules/remove-overrule.js';
import { rejectionOf } from '../../../support/rejection.js';
import { addStation } from '../../../support/weather-world.js';
import { CALLER, World } from '../../../support/world.js';

describe('overrules in the audit trail', () => {
  const request = {
    variable: 'air_temperature',
    from: 1000,
    to: 2000,
    verdict: 'bad',
    reason: 'A "spider".',
  } as const;
  let world: World;
  const add = () => world.get(AddOverrule).execute('JFK', request, CALLER);
  const remove = (id: string) => world.get(RemoveOverrule).execute('JFK', id, CALLER);
  const list = () => world.get(ListOverrules).execute('JFK');
  beforeEach(async () => {
    world = await World.make();
    await addStation(world);
  });

  it('are told whole, when they are added and when they are removed', async () => {
    const { id } = await add();
    await remove(id);
    await rejectionOf(remove(id));
    const events = (await world.stores.audit.list(10)).filter(({ action }) => action.startsWith('overrule'));
    expect(events.map(({ action, subject, detail }) => [action, subject, detail])).to.deep.equal(
      ['overrule-remove', 'overrule-add'].map((action) => [action, 'JFK', { overrule: id, ...request }]),
    );
  });

  it('stay as they are if the audit trail cannot be written', async () => {
    const kept = await add();
    sinon.stub(world.stores.audit, 'append').rejects(new Error('full'));
    await rejectionOf(add());
    await rejectionOf(remove(kept.id));
    expect(await list()).to.deep.equal([kept]);
  });
});
