import { expect } from 'chai';
import sinon from 'sinon';
import { AuditTrail } from '#application/accounts/audit-trail.js';
import { DomainError } from '#domain/domain-error.js';
import { rejectionOf } from '../../support/rejection.js';
import { CALLER, World } from '../../support/world.js';

describe('the audit trail', () => {
  let world: World;
  let trail: AuditTrail;
  beforeEach(async () => {
    world = await World.make();
    trail = new AuditTrail(world.clock, world.stores.audit);
  });
  afterEach(() => sinon.restore());
  const events = async () => (await world.stores.audit.list(100)).toReversed();

  it('keeps events that must not wait while the store is read only, and writes them later, in order', async () => {
    const full = new DomainError('STORE_UNAVAILABLE', 'full', { readOnly: true });
    const append = sinon.stub(world.stores.audit, 'append').rejects(full);
    await trail.recordEventually(CALLER, 'drop', 'ada');
    world.clock.time += 1000;
    await trail.recordEventually(CALLER, 'revocation', 'bob');
    append.rejects(new DomainError('STORE_UNAVAILABLE', 'away'));
    expect(await rejectionOf(trail.recordEventually(CALLER, 'drop', 'eve'))).to.have.property(
      'message',
      'away',
    );
    append.rejects(new Error('a defect'));
    expect(await rejectionOf(trail.recordEventually(CALLER, 'drop', 'eve'))).to.have.property(
      'message',
      'a defect',
    );
    append.restore();
    const all = sinon.stub(world.stores.audit, 'appendAll').rejects(full);
    expect(await rejectionOf(trail.flush())).to.equal(full);
    all.restore();
    expect(await events()).to.have.length(0);
    await trail.flush();
    await trail.flush();
    expect((await events()).map(({ action, subject, time }) => [action, subject, time])).to.deep.equal([
      ['drop', 'ada', world.clock.time - 1000],
      ['revocation', 'bob', world.clock.time],
    ]);
  });

  it('writes the rows of several stations, and the undo of an import, in one commit each', async () => {
    const commit = sinon.spy(world.stores.audit, 'appendAll');
    await trail.recordWrites(CALLER, []);
    await trail.recordUndo(CALLER, 5, []);
    expect(commit.callCount).to.equal(0);
    await trail.recordWrites(CALLER, [
      ['A', { rows: 1 }],
      ['B', { rows: 2 }],
    ]);
    await trail.recordUndo(CALLER, 5, ['A', 'B']);
    expect(commit.callCount).to.equal(2);
    expect(
      (await events()).map(({ action, subject, outcome, detail }) => [action, subject, outcome, detail]),
    ).to.deep.equal([
      ['observations-write', 'A', 'done', { rows: 1 }],
      ['observations-write', 'B', 'done', { rows: 2 }],
      ['import-undo', 'A', 'done', { import: 5 }],
      ['import-undo', 'B', 'done', { import: 5 }],
    ]);
  });

  it('has the caller, the time and what is told of an event', () => {
    const caller = { ...CALLER, actor: 'ada' };
    expect(trail.event(caller, 'drop', null)).to.deep.equal({
      time: world.clock.time,
      action: 'drop',
      outcome: 'done',
      actor: 'ada',
      subject: null,
      address: CALLER.address,
      requestId: CALLER.requestId,
      detail: null,
    });
    expect(trail.event(caller, 'drop', 'x', 'refused', { rows: 1 })).to.deep.include({
      subject: 'x',
      outcome: 'refused',
      detail: { rows: 1 },
    });
  });
});
