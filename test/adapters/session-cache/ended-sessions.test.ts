import { expect } from 'chai';
import sinon from 'sinon';
import { EndedSessions } from '#adapters/session-cache/ended-sessions.js';
import type { SessionStore } from '#application/ports/session-store.js';
import { DomainError } from '#domain/domain-error.js';
import { ADA } from '../../contracts/stores/credential-store.js';
import { beginSession } from '../../contracts/stores/sign-in-store.js';
import { rejectionOf } from '../../support/rejection.js';
import { openLocalStores } from '../../support/local-stores.js';

describe('EndedSessions', () => {
  const full = new DomainError('STORE_UNAVAILABLE', 'full', { readOnly: true });
  let store: SessionStore;
  let sessions: EndedSessions;
  const session = { userId: ADA.id, createdAt: 1, validTo: 2e9, address: null };

  beforeEach(async () => {
    const { credentials, sessions: stored, signIns } = openLocalStores();
    await credentials.add(ADA);
    store = stored;
    sessions = new EndedSessions(store);
    for (const id of ['s1', 's2']) await beginSession(signIns, { ...session, id }, ADA.passwordHash);
  });

  it('refuses what has ended in every way, says so, and writes it when it is closed', async () => {
    const end = sinon.stub(store, 'end').rejects(full);
    expect(await sessions.end('s1')).to.equal(true);
    expect(await sessions.end('s1')).to.equal(false);
    expect([await sessions.find('s1'), await sessions.find('s1', 5000)]).to.deep.equal([
      undefined,
      undefined,
    ]);
    expect((await sessions.list(0)).map(({ id }) => id)).to.deep.equal(['s2']);
    expect(await sessions.beginElevation('s1', 5)).to.equal(undefined);
    expect(await sessions.check()).to.contain('1 ended sessions');
    expect(await store.find('s1')).to.include({ id: 's1' });
    end.restore();
    await sessions.close();
    expect(await store.find('s1')).to.equal(undefined);
    expect(await sessions.check()).to.equal(undefined);
  });

  it('rejects when it is closed and cannot write what has ended, so that no command says that it has', async () => {
    sinon.stub(store, 'endAll').rejects(full);
    sinon.stub(store, 'end').rejects(full);
    expect(await sessions.endAll(ADA.id)).to.equal(2);
    expect(await rejectionOf(sessions.close())).to.match(/the ends of 2 sessions could not be stored/);
  });

  it('rejects at once where the store does not work at all, or there is no such session', async () => {
    const away = new DomainError('STORE_UNAVAILABLE', 'away');
    const end = sinon.stub(store, 'end').rejects(away);
    expect(await rejectionOf(sessions.end('s1'))).to.equal(away);
    expect(await sessions.find('s1')).to.include({ id: 's1' });
    end.rejects(full);
    expect(await rejectionOf(sessions.end('none'))).to.equal(full);
  });
});
