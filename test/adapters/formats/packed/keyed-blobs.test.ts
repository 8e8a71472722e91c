import { expect } from 'chai';
import {
  type BlobKind,
  DamagedBlobError,
  ENVELOPE,
  FORMAT_VERSION,
  seal,
  unseal,
  blobVersion,
} from '#adapters/formats/packed/blob.js';
import { Chunk, encodeChunk } from '#adapters/formats/packed/chunk-codec.js';
import {
  type DailyAggregatesKey,
  encodeDailyAggregates,
  keyOfTable,
} from '#adapters/formats/packed/daily-aggregate-codec.js';
import { decodeJournal, encodeJournal } from '#adapters/formats/packed/journal-codec.js';
import { openDailyAggregates } from '#adapters/formats/packed/packed-days.js';
import { DamagedRunError, encodeRun, Run } from '#adapters/formats/packed/run-codec.js';
import type { Series } from '#domain/weather/series.js';
import { sealWithSections, sectionsOf } from '../../../support/blob-sections.js';
import { olderBlob } from '../../../support/older-blob.js';

const DAY = 20_000;
const TIME = DAY * 86_400_000;
const series: Series = {
  times: Float64Array.of(TIME, TIME + 600_000),
  values: new Map([[1, Float64Array.of(1.5, 1.6)]]),
  flags: new Map(),
};
const PLACE = { station: 9, day: DAY, days: 8 };
const MONTH: DailyAggregatesKey = { station: 9, start: TIME, end: TIME + 86_400_000, zone: 'Europe/Dublin' };
const sums = {
  start: TIME,
  end: MONTH.end,
  days: 1,
  reportingInterval: 600,
  rules: 2,
  unusualMethods: [],
  positionCode: 0,
  routine: new Map(),
  sums: new Map(),
};

describe('the key of a blob', () => {
  it('is in the checksum of a chunk: station, day and number of days', () => {
    const blob = encodeChunk(PLACE, series);
    expect(new Chunk(PLACE, blob).times).to.deep.equal(series.times);
    for (const other of [{ station: 10 }, { day: DAY + 8 }, { days: 64 }])
      expect(() => new Chunk({ ...PLACE, ...other }, blob)).to.throw(DamagedBlobError);
  });

  it('is in the checksum of a run, and in that of its directory', () => {
    const blob = encodeRun([3, 17], [{ station: 200, from: 0, inserted: 2 }], series);
    expect(new Run(17, [3, 17], blob).rows).to.equal(2);
    for (const other of [
      [3, 18],
      [4, 17],
    ]) {
      // The stations of the directory are not those of the run that is missing.
      expect(() => new Run(17, other, blob))
        .to.throw(DamagedBlobError)
        .with.property('stations', undefined);
    }
    const damaged = Buffer.from(blob);
    damaged.writeUInt8(damaged.readUInt8(blob.length - 1) ^ 1, blob.length - 1);
    expect(() => new Run(17, [3, 17], damaged))
      .to.throw(DamagedRunError)
      .with.property('stations')
      .that.deep.equals([200]);
  });

  it('is in the checksum of a day table: station, month and time zone', () => {
    const data = encodeDailyAggregates(MONTH, sums);
    expect(openDailyAggregates({ ...MONTH, data })).to.not.equal(undefined);
    for (const other of [{ station: 8 }, { start: TIME - 1 }, { end: TIME }, { zone: 'Europe/Paris' }])
      expect(openDailyAggregates({ ...MONTH, ...other, data })).to.equal(undefined);
  });

  it('is in the checksum of a journal entry: the import', () => {
    const part = { station: 4, after: series, before: undefined, from: 0, to: 2 };
    const blob = encodeJournal(5, [part]);
    expect(decodeJournal(5, blob)).to.have.length(1);
    expect(() => decodeJournal(6, blob)).to.throw(DamagedBlobError);
  });

  it('takes no bytes', () => {
    for (const kind of ['chunk', 'run', 'journal', 'days', 'list'] as const) {
      const blob = seal(kind, [1, 2, 3], new ArrayBuffer(ENVELOPE + 8));
      expect(blob.length).to.equal(ENVELOPE + 8);
      expect(blobVersion(kind, blob)).to.equal(FORMAT_VERSION);
    }
  });

  it('is not asked of what former versions wrote', () => {
    const blob = olderBlob(encodeChunk(PLACE, series));
    expect(new Chunk({ ...PLACE, station: 10 }, blob).times).to.deep.equal(series.times);
    expect(blobVersion('chunk', blob)).to.equal(2);
  });
});

describe('the envelope', () => {
  const kind: BlobKind = 'days';
  const key = keyOfTable(MONTH);
  const data = () => {
    const bytes = new ArrayBuffer(ENVELOPE + 16);
    new Uint8Array(bytes, ENVELOPE).set([1, 2, 3]);
    return bytes;
  };

  it('has sections of types that a reader does not know', () => {
    const sections = [
      { type: 7, bytes: Uint8Array.of(1, 2, 3) },
      { type: 99, bytes: new Uint8Array(16).fill(5) },
      { type: 7, bytes: new Uint8Array(0) },
    ];
    const blob = sealWithSections(kind, key, data(), sections);
    expect(blob.length).to.equal(ENVELOPE + 16 + 16 + 24 + 8);
    expect(sectionsOf(blob).map(({ type, bytes }) => ({ type, bytes: [...bytes] }))).to.deep.equal(
      sections.map(({ type, bytes }) => ({ type, bytes: [...bytes] })),
    );
    const { content, isValid } = unseal(kind, key, blob);
    expect(isValid).to.equal(true);
    expect([...content]).to.deep.equal([...new Uint8Array(data(), ENVELOPE)]);
    expect(content.byteOffset % 8).to.equal(0);
    expect(sectionsOf(seal(kind, key, data()))).to.deep.equal([]);
  });

  it('is refused where any bit of it or of a section has changed', () => {
    const blob = sealWithSections(kind, key, data(), [{ type: 7, bytes: Uint8Array.of(1, 2, 3) }]);
    for (let bit = 0; bit < blob.length * 8; bit += 1) {
      const changed = Buffer.from(blob);
      changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      let isValid = false;
      try {
        const content = unseal(kind, key, changed);
        // Content without an envelope is refused by those that read day tables.
        isValid = content.isValid && content.version > 0;
      } catch (error) {
        expect(error).to.be.instanceOf(DamagedBlobError);
      }
      expect(isValid, `bit ${bit}`).to.equal(false);
    }
  });
});
