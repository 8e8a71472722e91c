import { expect } from 'chai';
import type { Stores } from '#application/ports/stores.js';
import { RECORD_KINDS, type RecordKind, type TransferRecord } from '#application/record-forms.js';
import { JFK, OSLO } from './station-store.js';

const none = {
  steps: null,
  persistence: null,
  sensorHeights: null,
  cellMethods: null,
  stampInterval: null,
  dailyObservationTime: null,
  visibility: null,
  positionDecimals: null,
  demo: null,
  earlier: null,
};
const station = (number: number, draft: typeof JFK) => ({ ...none, ...draft, number });
const user = (id: string, allStations: boolean) => ({
  id,
  name: `Åda ${id}`,
  nameKey: `åda ${id.toLowerCase()}`,
  email: allStations ? null : `${id}@Example.org`,
  emailKey: allStations ? null : `${id}@example.org`,
  passwordHash: '$argon2id$v=19$x',
  enabled: allStations,
  administrator: !allStations,
  allStations,
  createdAt: 1_770_000_000_123,
});
const session = {
  id: 's-1',
  userId: 'u-1',
  createdAt: 1_770_000_000_123,
  validTo: 4_000_000_000,
  address: '2001:db8::1',
  elevatedToken: null,
  elevatedTo: null,
  elevationAttempts: 3,
};
const uploadKey = {
  number: 5,
  station: 7,
  note: 'roof "秋"',
  weak: true,
  madeAt: 1,
  rotatedAt: null,
  previousUntil: 9,
  digest: 'aa',
  previousDigest: null,
  mappings: [{ field: 't', variable: 1, unit: '°F' }],
  settings: { windUnit: 'm/s', gauge: null, rain: false },
};
const event = {
  number: 11,
  time: 5,
  action: 'sign-in',
  outcome: 'throttled',
  actor: null,
  subject: 'Åda',
  address: null,
  requestId: 'r',
  detail: null,
  tally: null,
  count: 3,
};
const detail = { from: -1, to: 5, rows: 2 };
const imported = {
  number: 4,
  key: null,
  file: 'rows.csv',
  startedAt: 1,
  endedAt: 2,
  rows: 3,
  bytes: 4,
  forgotten: false,
  undoStartedAt: null,
  undoEndedAt: null,
  undoCounts: null,
};

const override = {
  id: 'a',
  station: 7,
  variable: 1,
  fromTime: -5,
  toTime: 6,
  verdict: 'bad',
  reason: 'spider',
  madeBy: 'Åda',
  madeAt: 9,
};

const alarm = {
  id: 'a',
  name: 'a',
  station: 7,
  condition: { kind: 'above', variable: 1, threshold: 30.1, clear: 28, for: 0 },
  target: { kind: 'post', url: 'https://example.org/?a="Åda"', allowPrivate: false },
  madeBy: null,
  madeAt: 9,
};

/** Records of all kinds, in order of their keys. */
export const RECORDS: Readonly<Record<RecordKind, readonly TransferRecord[]>> = {
  station: [
    station(7, {
      ...JFK,
      steps: { air_temperature: { perMinute: 1, perHour: 5 } },
      persistence: { air_temperature: 3600 },
      sensorHeights: { wind_speed: 10 },
      cellMethods: { wind_speed: 'point', air_temperature: 'interval' },
      stampInterval: 3600,
      dailyObservationTime: '07:00',
      visibility: 'hidden',
      positionDecimals: 0,
      demo: 'live',
      earlier: [{ latitude: 1, longitude: 2, elevation: null, reportingInterval: 60, until: 5 }],
    }),
    station(8, { ...OSLO, latitude: 59.94 }),
  ],
  removedStation: [{ ...station(3, { ...JFK, id: 'gone' }), removedAt: 77 }],
  user: [user('Z', true), user('u-1', false)],
  grant: [
    { userId: 'u-1', station: 3 },
    { userId: 'u-1', station: 8 },
  ],
  session: [{ ...session, id: 'S-0', elevatedToken: 't', elevatedTo: 9 }, session],
  uploadKey: [uploadKey],
  uploadRecord: [
    { name: 'b', key: 5, revision: 7, time: 3, text: '{"a":"\\u0000"}' },
    { name: 'notices 7', key: null, revision: 2, time: 4, text: '{"searchedAt":4,"due":null,"notices":[]}' },
    { name: 'ä', key: null, revision: 1, time: 4, text: '' },
  ],
  event: [
    event,
    { ...event, number: 13, action: 'observations-write', detail, tally: 'socket JFK 2024-02-28', count: 1 },
  ],
  import: [imported],
  importStation: [{ import: 4, station: 8 }],
  importEntry: [{ id: 1, import: 4, rows: 0, data: Buffer.from([0, 255, 92, 120]) }],
  retention: [
    { station: 7, period: 86_400_000 },
    { station: 8, period: null },
  ],
  removedMonth: [
    { station: 8, monthStart: -5, monthEnd: 6, zone: 'UTC', data: Buffer.from([0, 255, 92, 120]) },
  ],
  overrule: [override, { ...override, id: 'b', madeBy: null }],
  alarm: [
    alarm,
    {
      ...alarm,
      id: 'ä',
      name: 'b',
      station: null,
      condition: { kind: 'silent', intervals: 3 },
      target: null,
    },
  ],
  alarmState: [
    { alarm: 'a', station: 7, revision: 3, state: { status: 'quiet', since: null }, notice: null },
    { alarm: 'a', station: 8, revision: 1, state: { status: 'raised', since: 5 }, notice: { id: 'n' } },
  ],
};
const LAST = { station: 20, uploadKey: 21, event: 22, import: 23 };

/** Bytes in a form that can be compared. */
export function comparable(record: TransferRecord): TransferRecord {
  const pairs = Object.entries(record).map(([field, value]) => {
    return [field, value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value] as const;
  });
  return Object.fromEntries(pairs);
}

/** The rules for every TransferStore. */
export function transferStoreContract(opened: () => Stores): void {
  let stores: Stores;
  beforeEach(() => (stores = opened()));

  const fill = async () => {
    for (const kind of RECORD_KINDS) await stores.transfer.add(kind, RECORDS[kind]);
    await stores.transfer.setLastNumbers(LAST);
  };
  const read = async (kind: RecordKind) => (await stores.transfer.read(kind)).map(comparable);

  it('has nothing at first', async () => {
    for (const kind of RECORD_KINDS) expect(await read(kind), kind).to.deep.equal([]);
    expect(await stores.transfer.lastNumbers()).to.deep.equal({
      station: 0,
      uploadKey: 0,
      event: 0,
      import: 0,
    });
  });

  it('gives back records of every kind as they were added', async () => {
    await fill();
    for (const kind of RECORD_KINDS)
      expect(await read(kind), kind).to.deep.equal(RECORDS[kind].map(comparable));
    expect(await stores.transfer.lastNumbers()).to.deep.equal(LAST);
  });

  it('reads on after a record', async () => {
    await fill();
    for (const kind of RECORD_KINDS) {
      const [first, ...others] = RECORDS[kind];
      const found = await stores.transfer.read(kind, first);
      expect(found.map(comparable), kind).to.deep.equal(others.map(comparable));
    }
  });

  it('fills the other stores', async () => {
    await stores.stations.version();
    const before = [await stores.stations.version(), await stores.uploadKeys.version()];
    await fill();
    const after = [await stores.stations.version(), await stores.uploadKeys.version()];
    expect(after).not.to.include(before[0]).and.not.to.include(before[1]);
    expect(await stores.stations.find('JFK')).to.deep.equal(RECORDS.station[0]);
    expect(
      (await stores.stations.hidden()).map(({ station: { id }, removedAt }) => [id, removedAt]),
    ).to.deep.equal([['gone', 77]]);
    const [everywhere, some] = await stores.credentials.list();
    expect([everywhere?.stations, some?.stations]).to.have.deep.members(['*', [OSLO.id, 'gone']]);
    expect(await stores.sessions.find('S-0')).to.deep.include({ elevation: { tokenId: 't', validTo: 9 } });
    expect(await stores.uploadKeys.keys()).to.deep.equal(RECORDS.uploadKey);
    expect((await stores.audit.list(9)).map(({ number, count }) => [number, count])).to.deep.equal([
      [13, 1],
      [11, 3],
    ]);
    expect(await stores.importLog.find(4)).to.deep.include({ file: 'rows.csv', stations: [8], undo: null });
  });

  it('assigns no number a second time', async () => {
    await fill();
    await stores.transfer.setLastNumbers({ ...LAST, station: 1 });
    const [made] = await stores.stations.put([{ ...JFK, id: 'new' }]);
    expect(made?.station.number).to.be.above(LAST.station);
    const { number: _number, ...key } = uploadKey;
    expect(await stores.uploadKeys.add({ ...key, digest: 'bb' } as never)).to.be.above(LAST.uploadKey);
    const { number: _one, count: _count, tally: _tally, ...appended } = event;
    expect(await stores.audit.append(appended as never)).to.be.above(LAST.event);
    expect(await stores.importLog.begin(undefined, 'f', 1)).to.be.above(LAST.import);
  });

  it('continues an event that counts writes', async () => {
    await fill();
    const { number: _number, count: _count, tally: _tally, ...counted } = event;
    await stores.audit.tally([
      { key: 'socket JFK 2024-02-28', event: { ...counted, detail: { from: 7, to: 9, rows: 1 } } as never },
    ]);
    expect((await stores.audit.list(9)).map((one) => one.detail)).to.deep.equal([
      { from: -1, to: 9, rows: 3 },
      null,
    ]);
  });

  it('removes the records of some kinds, or of all', async () => {
    await fill();
    await stores.transfer.clear(['session', 'event']);
    for (const kind of RECORD_KINDS) {
      const isCleared = kind === 'session' || kind === 'event';
      expect(await read(kind), kind).to.have.length(isCleared ? 0 : RECORDS[kind].length);
    }
    await stores.transfer.clear(RECORD_KINDS);
    for (const kind of RECORD_KINDS) expect(await read(kind), kind).to.deep.equal([]);
    expect(await stores.transfer.lastNumbers()).to.deep.equal(LAST);
    await fill();
  });

  it('adds all records or none', async () => {
    const added = await stores.transfer
      .add('grant', [{ userId: 'nobody', station: 1 }])
      .then(() => stores.transfer.read('grant'))
      .catch((error: unknown) => error);
    // Memory does not check references.
    if (Array.isArray(added)) return;
    expect(added).to.have.property('code', 'STORE_UNAVAILABLE');
    await stores.transfer.add('station', [RECORDS.station[0] as TransferRecord]);
    const failure = await stores.transfer
      .add('station', [RECORDS.station[1], RECORDS.station[0]] as TransferRecord[])
      .catch((error: unknown) => error);
    expect(failure).to.have.property('code', 'STORE_UNAVAILABLE');
    expect(await read('station')).to.deep.equal([RECORDS.station[0]]);
  });
}
