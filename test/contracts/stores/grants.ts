import { expect } from 'chai';
import type { GrantChange } from '#application/ports/credential-store.js';
import type { Stores } from '#application/ports/stores.js';
import { domainErrorOf } from '../../support/rejection.js';
import { ADA, BOB, userById } from './credential-store.js';
import { beginSession } from './sign-in-store.js';
import { JFK } from './station-store.js';

/** The rules for the stations that users may write, for every CredentialStore. */
export function grantContract(opened: () => Stores): void {
  let stores: Stores;
  beforeEach(async () => {
    stores = opened();
    await stores.stations.put(['b', 'a', 'C'].map((id) => ({ ...JFK, id })));
    await stores.credentials.add(ADA);
    await stores.credentials.add(BOB);
  });

  const change = (how: GrantChange['how'], stations: GrantChange['stations'], id = BOB.id) =>
    stores.credentials.change(id, { stations: { how, stations } });
  const granted = async (id = BOB.id) => (await userById(stores.credentials, id))?.stations;

  it('replaces, grants and withdraws, without changing other users', async () => {
    for (const [how, stations, after] of [
      ['grant', ['b'], ['b']],
      ['grant', ['b', 'a', 'a'], ['a', 'b']],
      ['withdraw', ['b', 'C'], ['a']],
      ['replace', ['b', 'C'], ['C', 'b']],
      ['replace', [], []],
      ['grant', ['a'], ['a']],
      ['grant', '*', '*'],
      ['grant', ['b'], '*'],
      ['withdraw', ['b'], '*'],
      ['replace', ['b'], ['b']],
      ['withdraw', '*', []],
      ['replace', '*', '*'],
      ['withdraw', '*', []],
    ] as const) {
      await change(how, stations);
      expect(await granted(), `${how} ${String(stations)}`).to.deep.equal(after);
      expect(await granted(ADA.id)).to.deep.equal([]);
    }
  });

  it('gives a new user what it is added with, in every way to find it', async () => {
    for (const [id, stations] of [
      ['3', ['b', 'a']],
      ['4', '*'],
    ] as const) {
      await stores.credentials.add({ ...BOB, id, name: `user${id}`, email: `user${id}@x`, stations });
      const after = stations === '*' ? '*' : ['a', 'b'];
      expect(await granted(id)).to.deep.equal(after);
      expect((await stores.credentials.findByName(`user${id}`))?.stations).to.deep.equal(after);
      expect((await stores.credentials.list()).find((user) => user.id === id)?.stations).to.deep.equal(after);
    }
  });

  it('refuses an unknown station, and changes nothing then', async () => {
    await change('grant', ['a']);
    for (const how of ['replace', 'grant', 'withdraw'] as const) {
      for (const unknown of ['c', 'A', 'x\u0000', '\ud800', '*']) {
        const stations = { how, stations: ['b', unknown] };
        const changes = { enabled: false, email: 'new@x', stations };
        await domainErrorOf(stores.credentials.change(BOB.id, changes), 'STATION_UNKNOWN');
      }
    }
    expect(await userById(stores.credentials, BOB.id)).to.deep.equal({ ...BOB, stations: ['a'] });
    const eve = { ...BOB, id: '3', name: 'eve', stations: ['none'] };
    await domainErrorOf(stores.credentials.add(eve), 'STATION_UNKNOWN');
    expect(await userById(stores.credentials, '3')).to.equal(undefined);
  });

  it('is refused for a name or an email that is taken before a station is looked up', async () => {
    const eve = { ...BOB, id: '3', stations: ['none'] };
    await domainErrorOf(stores.credentials.add(eve), 'USER_EXISTS');
    const changes = { email: ADA.email, stations: { how: 'grant', stations: ['none'] } } as const;
    await domainErrorOf(stores.credentials.change(BOB.id, changes), 'USER_EXISTS');
  });

  it('belongs to a station and not to its id: a new station is not granted', async () => {
    await change('grant', ['a', 'b']);
    await stores.stations.remove('a');
    expect(await granted()).to.deep.equal(['b']);
    await stores.stations.put([{ ...JFK, id: 'a' }]);
    expect(await granted()).to.deep.equal(['b']);
  });

  it('stays with a station that is hidden and restored, and can be changed meanwhile', async () => {
    await change('grant', ['a', 'b']);
    await stores.stations.hide('a', 1);
    await stores.stations.hide('b', 1);
    expect(await granted()).to.deep.equal(['a', 'b']);
    await change('withdraw', ['b']);
    await stores.stations.restore('a');
    await stores.stations.restore('b');
    expect(await granted()).to.deep.equal(['a']);
  });

  it('is current in the sessions of the user', async () => {
    const session = { id: 's', userId: BOB.id, createdAt: 1, validTo: 2_000_000_000, address: null };
    await beginSession(stores.signIns, session, BOB.passwordHash);
    await change('grant', ['a']);
    expect((await stores.sessions.find('s'))?.stations).to.deep.equal(['a']);
    expect((await stores.sessions.list(0))[0]?.stations).to.deep.equal(['a']);
    await change('grant', '*');
    expect((await stores.sessions.find('s'))?.stations).to.equal('*');
  });

  it('is removed with its user', async () => {
    await change('grant', ['a']);
    await stores.credentials.remove(BOB.id);
    await stores.credentials.add(BOB);
    expect(await granted()).to.deep.equal([]);
  });

  it('of a new database reports no new readers', async () => {
    expect(await stores.updates.takeNewReaders()).to.equal(0);
  });
}
