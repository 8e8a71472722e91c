import { expect } from 'chai';
import sinon from 'sinon';
import { CheckStation } from '#application/observations/recheck/check-station.js';
import { AddOverride } from '#application/observations/overrides/add-override.js';
import { ListOverrides } from '#application/observations/overrides/list-overrides.js';
import { RemoveOverride } from '#application/observations/overrides/remove-override.js';
import { DomainError } from '#domain/domain-error.js';
import { domainErrorOf, rejectionOf } from '../../../support/rejection.js';
import { addStation } from '../../../support/weather-world.js';
import { CALLER, World } from '../../../support/world.js';

describe('quality overrides in the audit trail', () => {
  const request = {
    variable: 'air_temperature',
    from: 1000,
    to: 2000,
    verdict: 'bad',
    reason: 'A "spider".',
  } as const;
  let world: World;
  const add = () => world.get(AddOverride).execute('JFK', request, CALLER);
  const remove = (id: string) => world.get(RemoveOverride).execute('JFK', id, CALLER);
  const list = () => world.get(ListOverrides).execute('JFK');
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

  it('are stored although their values cannot be checked at once: the background does it', async () => {
    const failure = new DomainError('STORE_UNAVAILABLE', 'Away.');
    const recheck = sinon.stub(world.get(CheckStation), 'execute').rejects(failure);
    const kept = await add();
    expect(await list()).to.deep.equal([kept]);
    await remove(kept.id);
    expect(await list()).to.deep.equal([]);
    expect(recheck.callCount).to.equal(2);
    expect(await world.stores.recheck.requests(10)).to.have.length.above(0);
    recheck.rejects(new TypeError('a defect'));
    expect(await rejectionOf(add())).to.be.instanceOf(TypeError);
  });

  it('stay as they are if the audit trail cannot be written', async () => {
    const kept = await add();
    sinon.stub(world.stores.audit, 'append').rejects(new Error('full'));
    await rejectionOf(add());
    await rejectionOf(remove(kept.id));
    expect(await list()).to.deep.equal([kept]);
  });

  it('have a range, a variable and a reason, and a station has at most ten thousand', async () => {
    const put = (changes: object, id = 'JFK') =>
      world.get(AddOverride).execute(id, { ...request, ...changes }, { ...CALLER, actor: 'ada' });
    await domainErrorOf(put({}, 'LGA'), 'STATION_UNKNOWN');
    for (const changes of [
      { from: 2000 },
      { from: 2001 },
      { variable: 'warmth' },
      { reason: '  ' },
      { reason: 'x'.repeat(501) },
      { from: '2024-02-30' },
    ])
      await domainErrorOf(put(changes), 'REQUEST_INVALID');
    const kept = await put({ reason: ` ${'x'.repeat(500)} `, from: 1999 });
    expect(kept).to.include({
      madeBy: 'ada',
      madeAt: world.clock.time,
      from: 1999,
      to: 2000,
      verdict: 'bad',
    });
    expect(kept.reason).to.have.length(500);
    const stored = sinon.stub(world.stores.overrides, 'list');
    stored.resolves(Array.from({ length: 9999 }, () => kept));
    await put({});
    stored.resolves(Array.from({ length: 10_000 }, () => kept));
    await domainErrorOf(put({}), 'REQUEST_INVALID');
  });
});
