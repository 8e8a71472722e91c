import { expect } from 'chai';
import sinon from 'sinon';
import { AddAlarm } from '#application/alarms/add-alarm.js';
import { AddOverride } from '#application/observations/overrides/add-override.js';
import { AuditTrail } from '#application/accounts/audit-trail.js';
import { CheckData } from '#application/operation/check-data.js';
import type { DamagedForecast } from '#application/operation/check-forecasts.js';
import type { Announcement } from '#application/ports/announcer.js';
import type { DamagedData, Verification, VerifyWatch } from '#application/ports/data-verifier.js';
import { RemoveStation } from '#application/stations/remove-station.js';
import * as tokens from '#composition/graph/tokens.js';
import type { Station } from '#domain/weather/station.js';
import { addStation, record } from '../../support/weather-world.js';
import { CALLER, World } from '../../support/world.js';

const damage = (rows: number): DamagedData => ({
  stations: ['JFK'],
  first: 0,
  last: 1,
  rows,
  reason: 'is gone',
});

describe('CheckData', () => {
  let world: World;
  let found: Verification;
  let watches: VerifyWatch[];
  let announced: Announcement[];
  let damagedForecasts: readonly DamagedForecast[];
  beforeEach(async () => {
    world = await World.make();
    await addStation(world);
    found = { verified: 7, faults: [], damage: [], differences: [] };
    watches = [];
    announced = [];
    damagedForecasts = [];
  });
  afterEach(() => sinon.restore());

  const check = (discard = false) => {
    const forecasts = { execute: async () => damagedForecasts };
    const { stations, overrides, alarms } = world.stores;
    const note = (kind: string) => async (watch: VerifyWatch) => {
      watches.push(watch);
      return { ...found, faults: [kind] };
    };
    const verifier = { verify: note('verified'), discard: note('discarded') };
    const [trail, calendar] = [world.get(AuditTrail), world.get(tokens.Calendar)];
    const announcer = {
      announce: (one: Announcement) => announced.push(one),
      subscribe: () => () => undefined,
    };
    const data = new CheckData({
      verifier,
      stations,
      overrides,
      alarms,
      announcer,
      trail,
      calendar,
      forecasts,
    });
    const onStart = () => undefined;
    return data.execute({ discard }, CALLER, { onStart });
  };
  const events = async () =>
    (await world.auditTrail()).filter((line) => line.startsWith('observations-discard'));

  it('verifies and changes nothing, or discards what is damaged and writes how many rows', async () => {
    found = { ...found, damage: [damage(3), damage(0), damage(4)] };
    expect(await check()).to.deep.equal({
      ...found,
      faults: ['verified'],
      stations: [],
      forecasts: [],
      advice: [],
    });
    expect(await events()).to.deep.equal([]);
    expect(announced).to.deep.equal([]);
    expect((await check(true)).faults).to.deep.equal(['discarded']);
    expect(await events()).to.deep.equal(['observations-discard done 7 rows']);
    expect(announced).to.deep.equal([{ kind: 'missed' }]);
    found = { ...found, damage: [] };
    await check(true);
    expect(await events()).to.have.length(1);
    expect(announced).to.have.length(1);
  });

  it('writes how many records of forecasts were discarded, and tells the clients', async () => {
    const base = { station: 'JFK', provider: 'open-meteo', time: null, reason: 'cannot be read' } as const;
    damagedForecasts = [{ ...base, record: 'learned', outcome: 'computed again' }];
    expect((await check()).forecasts).to.equal(damagedForecasts);
    expect([await events(), announced]).to.deep.equal([[], []]);
    await check(true);
    expect(await events()).to.deep.equal(['observations-discard done forecasts: 1 records']);
    expect(announced).to.deep.equal([{ kind: 'missed' }]);
  });

  it('gives the verifier the days of each time zone, and its own watch', async () => {
    await check();
    const [watch] = watches;
    expect(watch?.onStart).to.be.a('function');
    expect(watch?.daysOf('Europe/Bonn', 0, 1)).to.deep.equal([]);
    expect(watch?.daysOf('UTC', 0, 86_400_001)).to.have.length(2);
  });

  it('finds damaged stations, removed ones included, and says what to do', async () => {
    await addStation(world, { id: 'LGA', identifiers: {} });
    await addStation(world, { id: 'EWR', identifiers: {} });
    await world.get(RemoveStation).execute('LGA', CALLER);
    const all = await world.stores.stations.list();
    const hidden = await world.stores.stations.hidden();
    const damaged = (station: Station, field: 'timeZone' | 'limits') => ({
      ...station,
      damaged: [{ field, reason: 'cannot be read' }],
    });
    sinon
      .stub(world.stores.stations, 'list')
      .resolves(all.map((one) => (one.id === 'JFK' ? damaged(one, 'limits') : one)));
    sinon
      .stub(world.stores.stations, 'hidden')
      .resolves(hidden.map((one) => ({ ...one, station: damaged(one.station, 'timeZone') })));
    const { stations, advice } = await check();
    expect(stations).to.deep.equal([
      { station: 'JFK', column: 'limits', reason: 'cannot be read' },
      { station: 'LGA', column: 'time_zone', reason: 'cannot be read' },
    ]);
    expect(advice).to.have.length(2);
    expect(advice[0]).to.match(/^The station "JFK" is damaged: .*weatherd station set JFK/);
  });

  it('finds damaged overrides and alarms, of a station or of all', async () => {
    await record(world, '2024-03-01T00:00:00Z', { air_temperature: [1, 2] });
    const request = {
      variable: 'air_temperature',
      from: 0,
      to: 1e13,
      verdict: 'bad',
      reason: 'dew',
    } as const;
    const override = await world.get(AddOverride).execute('JFK', request, CALLER);
    const alarm = {
      name: 'frost',
      station: 'JFK',
      condition: { kind: 'silent', intervals: 3 },
      target: null,
    } as const;
    const stored = await world.get(AddAlarm).execute(alarm, CALLER);
    expect(await check()).to.deep.include({ stations: [], advice: [] });
    sinon
      .stub(world.stores.overrides, 'list')
      .resolves([override, { ...override, id: 'x', verdict: 'odd' as never }]);
    const odd = { ...stored, condition: { kind: 'odd' } as never };
    const ofAll = { ...odd, name: 'all', station: null };
    sinon.stub(world.stores.alarms, 'alarms').resolves([stored, odd, ofAll]);
    const { stations, advice } = await check();
    const kind = 'has a condition of an unknown kind';
    expect(stations).to.deep.equal([
      {
        station: 'JFK',
        column: 'overrule.verdict',
        reason: 'of the override x is neither bad nor good: "odd"',
      },
      { station: 'JFK', column: 'alarm', reason: `frost ${kind}` },
      { station: '*', column: 'alarm', reason: `all ${kind}` },
    ]);
    expect(advice[0]).to.include('weatherd override remove --station JFK x');
    expect(advice[2]).to.include('weatherd alarm remove all');
  });
});
