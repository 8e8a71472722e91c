import { expect } from 'chai';
import sinon from 'sinon';
import { CachedSessions } from '#adapters/session-cache/cached-sessions.js';
import type { AuditStore } from '#application/ports/audit-store.js';
import type { SessionStore } from '#application/ports/session-store.js';
import type { SignInStore } from '#application/ports/sign-in-store.js';
import { FakeClock } from '../../application/fakes/fakes.js';
import { ADA } from '../../contracts/stores/credential-store.js';
import { beginSession } from '../../contracts/stores/sign-in-store.js';
import { openLocalStores } from '../../support/local-stores.js';

describe('CachedSessions', () => {
  let store: SessionStore;
  let sessions: CachedSessions;
  let signIns: SignInStore;
  let audit: AuditStore;
  let clock: FakeClock;
  const session = { userId: ADA.id, createdAt: 1, validTo: 2e9, address: null };

  beforeEach(async () => {
    clock = new FakeClock();
    clock.up = 1000;
    const stores = openLocalStores();
    await stores.credentials.add(ADA);
    ({ sessions: store, signIns, audit } = stores);
    sessions = new CachedSessions(store, clock);
    await beginSession(signIns, { ...session, id: 's1' }, ADA.passwordHash);
    await beginSession(signIns, { ...session, id: 's2' }, ADA.passwordHash);
  });

  it('reads the store once in five seconds, and every time for current data', async () => {
    const asked = sinon.spy(store, 'find');
    for (let count = 0; count < 3; count += 1)
      expect(await sessions.find('s1', 5000)).to.include({ id: 's1' });
    expect(asked.callCount).to.equal(1);
    await sessions.find('s1');
    await sessions.find('s1');
    expect(asked.callCount).to.equal(3);
  });

  it('accepts a session for five seconds after another instance has ended it, and no longer', async () => {
    await sessions.find('s1', 5000);
    await store.end('s1');
    expect(await sessions.find('s1')).to.equal(undefined);
    clock.up += 5000;
    expect(await sessions.find('s1', 5000)).to.include({ id: 's1' });
    clock.up += 1;
    expect(await sessions.find('s1', 5000)).to.equal(undefined);
  });

  it('refuses at once a session that this instance has ended', async () => {
    await sessions.find('s1', 5000);
    await sessions.find('s2', 5000);
    await sessions.end('s1');
    expect(await sessions.find('s1', 5000)).to.equal(undefined);
    expect(await sessions.find('s2', 5000)).to.include({ id: 's2' });
    await sessions.endAll(ADA.id);
    expect(await sessions.find('s2', 5000)).to.equal(undefined);
  });

  for (const [title, end] of [
    ['end', () => sessions.end('s1')],
    ['endAll', () => sessions.endAll(ADA.id)],
  ] as const) {
    it(`does not remember a session that ended while the store was answering › ${title}`, async () => {
      const find = store.find.bind(store);
      const found = await find('s1');
      let answer: ((session: typeof found) => void) | undefined;
      store.find = () => new Promise((resolve) => (answer = resolve));
      const asked = sessions.find('s1', 5000);
      await end();
      answer?.(found);
      expect(await asked).to.include({ id: 's1' });
      store.find = find;
      expect(await sessions.find('s1', 5000)).to.equal(undefined);
    });
  }

  it('removes a session from the cache even if the store does not confirm its end', async () => {
    await sessions.find('s1', 5000);
    const end = store.end.bind(store);
    store.end = async (id) => {
      await end(id);
      throw new Error('no answer in time');
    };
    await sessions.end('s1').catch(() => undefined);
    expect(await sessions.find('s1', 5000)).to.equal(undefined);
  });

  it('hands over what is to be written down with a change', async () => {
    const event = {
      time: 1,
      action: 'elevation',
      outcome: 'done',
      actor: null,
      subject: null,
      address: null,
      requestId: null,
      detail: null,
    } as const;
    expect(await sessions.beginElevation('s1', 5)).to.deep.equal({
      attempts: 1,
      passwordHash: ADA.passwordHash,
    });
    await sessions.elevate('s1', { tokenId: 't', validTo: 1 }, event);
    await sessions.end('s1', [{ ...event, action: 'revocation' }]);
    expect((await audit.list(9)).map(({ action }) => action)).to.deep.equal(['revocation', 'elevation']);
  });

  it('does not remember that there is no session', async () => {
    expect(await sessions.find('s3', 5000)).to.equal(undefined);
    await beginSession(signIns, { ...session, id: 's3' }, ADA.passwordHash);
    expect(await sessions.find('s3', 5000)).to.include({ id: 's3' });
  });
});
