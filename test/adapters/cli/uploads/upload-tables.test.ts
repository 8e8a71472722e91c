import { expect } from 'chai';
import { clip, durationCell, timeCell } from '#adapters/cli/uploads/upload-cells.js';
import { formatKeys } from '#adapters/cli/uploads/upload-key-commands.js';
import { formatPending } from '#adapters/cli/uploads/upload-commands.js';
import { formatStatus, formatStatuses } from '#adapters/cli/uploads/status-table.js';
import type { UploadKeyView } from '#application/uploads/keys/key-view.js';
import type { PendingView } from '#application/uploads/pending/list-pending-uploads.js';
import type { UploadStatusView } from '#application/uploads/status/list-upload-status.js';
import type { UploadStatus } from '#domain/uploads/upload-status.js';

const NOW = Date.parse('2026-11-22T11:14:03.456Z');
const LONG = 'x'.repeat(64);

const KEY: UploadKeyView = {
  number: 1,
  station: 'garden',
  note: 'console in the shed',
  weak: false,
  madeAt: NOW,
  rotatedAt: null,
  previousUntil: null,
  mappings: [
    { field: 'temp3f', variable: 'soil_temperature', unit: '°F', scale: 2, offset: -0.4, station: 'bed' },
    { field: 'lightning_num', variable: 'lightning_strike_count', counter: true, station: null },
  ],
  settings: { windUnit: 'km/h', gauge: null, rain: true },
  rainWarning: null,
};

const SILENT: UploadStatus = {
  lastPush: null,
  lastSuccess: null,
  lastError: null,
  counts: { stored: 0, unchanged: 0, refused: 0 },
  address: null,
  dialect: null,
  model: null,
  firmware: null,
  batteries: {},
  clockSkew: null,
  interval: null,
  identity: null,
  usesPrevious: false,
  gauge: null,
  rainReport: null,
  remarks: [],
  unmapped: [],
  raw: [],
};

const BUSY: UploadStatus = {
  ...SILENT,
  lastPush: NOW,
  lastSuccess: NOW - 60_000,
  lastError: { time: NOW, text: 'the time is 20 minutes ahead' },
  counts: { stored: 120, unchanged: 3, refused: 1 },
  address: '192.168.1.77',
  dialect: 'ecowitt',
  model: 'GW2000A',
  firmware: 'GW2000A_V3.1.0',
  batteries: { wh65batt: 'ok' },
  clockSkew: -7200,
  interval: 60,
  identity: { digest: 'd', changedAt: NOW },
  usesPrevious: true,
  gauge: 'piezo',
  rainReport: { time: NOW, text: 'held: the counter of the day fell' },
  remarks: ['baromrelin equals baromabsin, so it is not stored'],
  unmapped: Array.from({ length: 10 }, (_, index) => ({
    name: `temp${index}f`,
    value: 60.1,
    unit: '°F',
    time: NOW,
  })),
  raw: [{ time: NOW, text: 'POST /u/…/ tempf=60.1', outcome: 'stored' }],
};

const view = (status: UploadStatus, changes: Partial<UploadStatusView> = {}): UploadStatusView => ({
  key: 1,
  station: 'garden',
  note: '',
  weak: false,
  rainWarning: null,
  status,
  ...changes,
});

const PENDING: PendingView = {
  id: 'k7m2p9qx',
  sentId: LONG,
  dialect: 'wunderground',
  model: LONG,
  address: '2001:db8:1234:5678:9abc:def0:1234:5678',
  network: '2001:db8:1234:5678::',
  firstSeen: NOW,
  lastSeen: NOW,
  count: 123_456,
  readings: Array.from({ length: 5 }, () => 'surface_air_pressure: 1013.25 hPa'),
  canBeApproved: false,
  isWrongKey: true,
};

describe('tables of uploads', () => {
  it('fit 80 columns, whatever senders and people have written', () => {
    const texts = [
      formatKeys([
        KEY,
        { ...KEY, station: LONG, note: LONG, weak: true, number: 9999 },
        { ...KEY, station: null },
      ]),
      formatStatuses([
        view(SILENT),
        view({ ...BUSY, dialect: LONG, model: LONG }, { station: LONG, key: 9999 }),
      ]),
      formatPending([PENDING, { ...PENDING, sentId: null, model: null, readings: [], canBeApproved: true }]),
    ];
    for (const line of texts.join('\n').split('\n')) expect(line.length, line).to.be.at.most(80);
  });

  it('of all keys: when, how often, how many, and what needs attention', () => {
    const [, silent = '', busy = '', ...notes] = formatStatuses([view(SILENT), view(BUSY, { key: 2 })]).split(
      '\n',
    );
    expect(silent).to.match(/^1 {4}garden {3}- {21}- {6}0 {7}0 {8}-$/);
    expect(busy).to.match(/^2 {4}garden {3}2026-11-22T11:14:03Z {2}60 s {3}123 {5}1 {8}ecowitt$/);
    const text = notes.join(' ');
    for (const sentence of [
      'Key 1: no upload has arrived so far.',
      'Key 2: refused at 2026-11-22T11:14:03Z: the time is 20 minutes ahead',
      'Key 2: the clock of the sender is 2 h behind.',
      'Key 2: the sender still uses the secret that was replaced.',
      'Key 2: another device, or new firmware, uses this key since 2026-11-22T11:14:03Z.',
      'Key 2: held: the counter of the day fell (2026-11-22T11:14:03Z)',
      'Key 2: baromrelin equals baromabsin',
    ])
      expect(text).to.contain(sentence);
    expect(text).to.match(/fields that are not stored: temp0f, .*temp7f and 2 more/);
  });

  it('do not show an error that a later upload has overcome', () => {
    const text = formatStatuses([view({ ...BUSY, lastSuccess: NOW + 1 })]);
    expect(text).not.to.contain('refused at');
    expect(text).to.contain('the clock of the sender is 2 h behind; the time of receipt is stored.');
  });

  it('of one key: batteries, mapped and unmapped fields, and the last uploads', () => {
    const text = formatStatus(view(BUSY), KEY);
    for (const pattern of [
      /uploads +120 stored, 3 unchanged, 1 refused/,
      /model +GW2000A\n/,
      /Batteries:\n {2}wh65batt {2}ok/,
      /temp3f +soil_temperature in °F × 2 \+ -0\.4 of bed\n/,
      /lightning_num +lightning_strike_count, counter of \(removed\)/,
      / {2}temp9f {2}60\.1 °F {2}2026-11-22T11:14:03Z/,
      /Last uploads:\n {2}2026-11-22T11:14:03Z {2}stored {2}POST/,
    ])
      expect(text).to.match(pattern);
    expect(formatStatus(view(SILENT, { weak: true }), { ...KEY, mappings: [] })).to.contain('(weak: ');
  });

  it('of pending senders: the readings by which people recognize them', () => {
    const text = formatPending([PENDING]);
    expect(text).to.contain('surface_air_pressure: 1013.25 hPa').and.to.contain('needs an upload key');
    expect(formatPending([])).to.equal('There are no senders without a key.');
  });

  it('never send characters of a sender to the terminal that control it', () => {
    const evil = 'a\u001B[2Jb\u202Ec\n';
    expect(clip(evil, 64)).to.equal('a\uFFFD[2Jb\uFFFDc\uFFFD');
    const texts = [
      formatStatuses([
        view({ ...BUSY, dialect: evil, remarks: [evil], lastError: { time: NOW, text: evil } }),
      ]),
      formatStatus(view({ ...BUSY, model: evil, firmware: evil, batteries: { [evil]: evil } }), KEY),
      formatStatus(view({ ...BUSY, raw: [{ time: NOW, text: evil, outcome: evil }] }), KEY),
      formatStatus(view({ ...BUSY, unmapped: [{ name: evil, value: evil, time: NOW }] }), KEY),
      formatPending([{ ...PENDING, model: evil, dialect: evil, sentId: evil, readings: [evil] }]),
    ];
    for (const text of texts)
      for (const character of ['\u001B', '\u202E']) expect(text).not.to.contain(character);
  });

  it('show times in UTC and spans in one unit', () => {
    expect([timeCell(NOW), timeCell(null)]).to.deep.equal(['2026-11-22T11:14:03Z', '-']);
    const spans = [null, 2.5, 119, 120, 7199, 7200, -86_400];
    expect(spans.map(durationCell)).to.deep.equal(['-', '3 s', '119 s', '2 min', '120 min', '2 h', '-24 h']);
  });
});
