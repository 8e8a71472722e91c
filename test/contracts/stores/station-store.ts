import { expect } from 'chai';
import type { AuditAction } from '#domain/accounts/audit-actions.js';
import type { AuditEvent } from '#domain/accounts/audit-event.js';
import type { StationStore } from '#application/ports/station-store.js';
import type { Stores } from '#application/ports/stores.js';
import { replacementEdit } from '#domain/weather/station-edit.js';
import type { StationDraft } from '#domain/weather/station.js';
import { domainErrorOf } from '../../support/rejection.js';

export const JFK: StationDraft = {
  id: 'JFK',
  name: 'John F Kennedy Intl',
  latitude: 40.639751,
  longitude: -73.778925,
  elevation: 3.9624,
  timeZone: 'America/New_York',
  identifiers: { icao: 'KJFK', wmo: '74486' },
  reportingInterval: 3600,
  limits: { air_temperature: { min: -40, max: 50 } },
};
export const OSLO: StationDraft = {
  id: 'Oslo.Blindern_1',
  name: 'Óslo – Blindern 秋',
  latitude: -0,
  longitude: 180,
  elevation: null,
  timeZone: 'Europe/Oslo',
  identifiers: {},
  reportingInterval: null,
  limits: {},
};

/** The rules for every StationStore. */
export function stationStoreContract(opened: () => Stores): void {
  let stations: StationStore;
  beforeEach(() => ({ stations } = opened()));

  it('assigns numbers only to new stations', async () => {
    const numberOf = async (id: string) => (await stations.put([{ ...JFK, id }]))[0]?.station.number ?? 0;
    const first = await numberOf('first');
    for (let count = 0; count < 3; count += 1) expect(await numberOf('first')).to.equal(first);
    expect(await numberOf('second')).to.equal(first + 1);
  });

  it('returns a stored station with its own number', async () => {
    const [first, second] = await stations.put([JFK, OSLO]);
    expect(first).to.deep.include({ isNew: true });
    expect(first?.station).to.deep.equal({ ...JFK, number: first?.station.number });
    expect(second?.station).to.deep.equal({
      ...OSLO,
      latitude: second?.station.latitude,
      number: second?.station.number,
    });
    expect(second?.station.number).not.to.equal(first?.station.number);
    expect(await stations.find('JFK')).to.deep.equal(first?.station);
    for (const id of ['jfk', '', 'x\u0000', "' OR 1=1 --"])
      expect(await stations.find(id)).to.equal(undefined);
  });

  it('replaces the fields of a station and keeps its number', async () => {
    const [before] = await stations.put([JFK]);
    const [after] = await stations.put([{ ...OSLO, id: 'JFK' }]);
    expect(after?.isNew).to.equal(false);
    expect(await stations.find('JFK')).to.deep.include({ name: OSLO.name, elevation: null, identifiers: {} });
    expect(after?.station.number).to.equal(before?.station.number);
  });

  it('lists in the order of ids, capitals first', async () => {
    await stations.put(['b', 'a', 'C', '_', '9'].map((id) => ({ ...JFK, id })));
    expect((await stations.list()).map(({ id }) => id)).to.deep.equal(['9', 'C', '_', 'a', 'b']);
  });

  it('removes a station, and never uses its number again', async () => {
    const [before] = await stations.put([JFK]);
    expect(await stations.remove('JFK')).to.equal(true);
    expect(await stations.remove('JFK')).to.equal(false);
    expect(await stations.list()).to.deep.equal([]);
    const [after] = await stations.put([JFK]);
    expect(after?.station.number).to.be.above(before?.station.number ?? Infinity);
  });

  it('appends the events of a change in its transaction, and none if nothing is changed', async () => {
    const { audit } = opened();
    const eventOf = (action: AuditAction): AuditEvent[] => [
      {
        time: 1,
        action,
        outcome: 'done',
        actor: null,
        subject: 'JFK',
        address: null,
        requestId: null,
        detail: null,
      },
    ];
    const actions = async () => (await audit.list(99)).map(({ action }) => action).reverse();
    await domainErrorOf(
      stations.change([{ id: 'JFK', change: { name: 'A' } }], { events: eventOf('station-put') }),
      'STATION_UNKNOWN',
    );
    expect(await stations.hide('JFK', 1, { events: eventOf('station-remove') })).to.equal(false);
    expect(await stations.restore('JFK', { events: eventOf('station-restore') })).to.equal(false);
    expect(await stations.remove('JFK', { events: eventOf('station-erase') })).to.equal(false);
    expect(await actions()).to.deep.equal([]);
    await stations.change([replacementEdit(JFK)], { events: eventOf('station-put') });
    await stations.hide('JFK', 1, { events: eventOf('station-remove') });
    await stations.restore('JFK', { events: eventOf('station-restore') });
    await stations.remove('JFK', { events: eventOf('station-erase') });
    expect(await actions()).to.deep.equal([
      'station-put',
      'station-remove',
      'station-restore',
      'station-erase',
    ]);
  });

  it('says whether there are live stations of the demo, which do not count while they are removed', async () => {
    const seen = [await stations.hasLiveDemo()];
    await stations.put([JFK, { ...OSLO, demo: 'measured' }]);
    seen.push(await stations.hasLiveDemo());
    await stations.put([{ ...JFK, id: 'JFK-live', identifiers: {}, demo: 'live' }]);
    seen.push(await stations.hasLiveDemo());
    await stations.remove('JFK-live');
    seen.push(await stations.hasLiveDemo());
    expect(seen).to.deep.equal([false, false, true, false]);
  });

  it('changes the version with every change, and only then', async () => {
    const versions = [await stations.version()];
    await stations.put([JFK]);
    versions.push(await stations.version());
    await stations.put([JFK]);
    versions.push(await stations.version());
    await stations.remove('JFK');
    versions.push(await stations.version());
    expect(new Set(versions)).to.have.property('size', 4);
    await stations.remove('JFK');
    await stations.list();
    expect(await stations.version()).to.equal(versions[3]);
  });
}
