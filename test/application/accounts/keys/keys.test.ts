import { expect } from 'chai';
import jwt from 'jsonwebtoken';
import { GetKeySet } from '#application/accounts/keys/get-key-set.js';
import { ListKeys } from '#application/accounts/keys/list-keys.js';
import { RetireKey } from '#application/accounts/keys/retire-key.js';
import { RotateKey } from '#application/accounts/keys/rotate-key.js';
import { ReadAudit } from '#application/accounts/read-audit.js';
import { Housekeep } from '#application/operation/housekeep.js';
import { domainErrorOf } from '../../../support/rejection.js';
import { CALLER, World } from '../../../support/world.js';

const DAY = 86_400_000;

describe('signing keys', () => {
  let world: World;
  beforeEach(async () => {
    world = await World.make();
    await world.addUser('Ada');
  });

  const rotate = async (lead: number) => {
    advance(1);
    const key = await world.get(RotateKey).execute({ lead }, CALLER);
    return key.id;
  };
  const retire = (id: string) => world.get(RetireKey).execute({ id }, CALLER);
  const states = async () => (await world.get(ListKeys).execute()).map(({ state }) => state);
  const published = async () => (await world.get(GetKeySet).execute()).keys.map(({ kid }) => kid);
  const kidOf = (token: string) => jwt.decode(token, { complete: true })?.header.kid;
  const advance = (milliseconds: number) => {
    world.clock.time += milliseconds;
    world.clock.up += milliseconds;
  };

  it('a new key is published before it signs, and the old one verifies until its last token expires', async () => {
    const old = await world.signIn('Ada');
    const made = await rotate(600);
    expect(await states()).to.deep.equal(['signing', 'published']);
    expect(await published()).to.have.members([kidOf(old), made]);
    const still = await world.signIn('Ada');
    expect(kidOf(still)).to.equal(kidOf(old));

    advance(600_000);
    expect(await states()).to.deep.equal(['verifying', 'signing']);
    const fresh = await world.signIn('Ada');
    expect(kidOf(fresh)).to.equal(made);
    for (const token of [old, still, fresh]) await world.principalOf(token);

    advance(30 * DAY - 1000);
    expect(await published()).to.have.length(2);
    advance(1000);
    expect(await published()).to.deep.equal([made]);
    expect(await states()).to.deep.equal(['expired', 'signing']);
    await domainErrorOf(world.principalOf(still), 'AUTH_TOKEN_INVALID');
  });

  it('a retired key is invalid at once, also for tokens that were verified before', async () => {
    const old = await world.signIn('Ada');
    await world.principalOf(old);
    const made = await rotate(0);
    const fresh = await world.signIn('Ada');
    await retire(kidOf(old) ?? '');
    await domainErrorOf(world.principalOf(old), 'AUTH_TOKEN_INVALID');
    await world.principalOf(fresh);
    expect(await published()).to.deep.equal([made]);
    expect(await states()).to.deep.equal(['retired', 'signing']);
    expect(world.keyStore.keys.get(kidOf(old) ?? '')?.privateKey).to.equal(null);
    expect((await world.auditTrail()).slice(-3)).to.include(`key-retire done ${kidOf(old)}`);
  });

  it('neither the last signing key nor a missing key can be retired', async () => {
    const [only = ''] = await published();
    await domainErrorOf(retire(only), 'REQUEST_INVALID');
    const next = await rotate(600);
    await domainErrorOf(retire(only), 'REQUEST_INVALID');
    await retire(next);
    await domainErrorOf(retire('nothing'), 'KEY_UNKNOWN');
    expect(kidOf(await world.signIn('Ada'))).to.equal(only);
  });

  it('two rotations at the same time leave usable keys', async () => {
    await Promise.all([rotate(0), rotate(0)]);
    const token = await world.signIn('Ada');
    await world.principalOf(token);
    expect((await states()).filter((state) => state === 'signing')).to.have.length(1);
  });

  it('all instances choose the same signing key', async () => {
    await rotate(0);
    const other = await World.make();
    other.keyStore.keys.clear();
    for (const [id, key] of world.keyStore.keys) other.keyStore.keys.set(id, key);
    other.clock.up += 1000;
    other.clock.time = world.clock.time;
    await other.addUser('Ada');
    expect(kidOf(await other.signIn('Ada'))).to.equal(kidOf(await world.signIn('Ada')));
  });
});

describe('ReadAudit and Housekeep', () => {
  it('returns pages until there are no more', async () => {
    const world = await World.make();
    for (const name of ['a', 'b', 'c']) await world.addUser(name);
    const read = world.get(ReadAudit);
    const first = await read.execute({ limit: 2 });
    expect(first.events.map(({ subject }) => subject)).to.deep.equal(['c', 'b']);
    const second = await read.execute({ limit: 2, cursor: first.cursor ?? 0 });
    expect(second.events.map(({ subject }) => subject)).to.deep.equal(['a']);
    expect(second.cursor).to.equal(null);
    expect(await read.execute({ limit: 3 })).to.have.property('cursor', null);
  });

  it('removes expired sessions and old events', async () => {
    const world = await World.make({ WEATHERD_AUDIT_RETENTION: '40d' });
    await world.addUser('Ada');
    await world.signIn('Ada');
    const housekeep = world.get(Housekeep);
    await housekeep.execute();
    expect(await world.stores.sessions.list(0)).to.have.length(1);
    world.clock.time += 31 * DAY;
    await housekeep.execute();
    expect(await world.stores.sessions.list(0)).to.have.length(0);
    expect(await world.auditTrail()).to.have.length(2);
    world.clock.time += 10 * DAY;
    await housekeep.execute();
    expect(await world.auditTrail()).to.have.length(0);
  });
});
