import { expect } from 'chai';
import {
  keptText,
  MAX_BATTERIES,
  MAX_FIELDS,
  MAX_RAW,
  MAX_TEXT,
  mergedStatus,
  NO_STATUS,
  RAW_AGE,
  type ShownUpload,
  type UploadStatus,
  withRaw,
} from '#domain/uploads/upload-status.js';
import { secretText } from '#domain/secret-text.js';

const raw = (time: number, text = 'x', outcome = 'stored'): ShownUpload => ({ time, text, outcome });
const EARLIER: UploadStatus = {
  ...NO_STATUS,
  lastPush: 10,
  lastSuccess: 10,
  lastError: { time: 5, text: 'wrong' },
  counts: { stored: 1, unchanged: 2, refused: 3 },
  address: 'a',
  dialect: 'd',
  model: 'm',
  firmware: 'f',
  batteries: { one: 'ok', two: 'ok' },
  clockSkew: 400,
  interval: 60,
  identity: { digest: 'i', changedAt: null },
  usesPrevious: true,
  gauge: 'tipping',
  rainReport: { time: 4, text: 'held' },
  remarks: ['old'],
  unmapped: [{ name: 'u', value: 1, time: 10 }],
  raw: [raw(10)],
};

describe('the status of uploads', () => {
  const merged = (later: Partial<UploadStatus>) =>
    mergedStatus(EARLIER, { ...NO_STATUS, lastPush: 20, ...later });

  it('keeps what a later upload does not tell', () => {
    expect(mergedStatus(EARLIER, NO_STATUS)).to.equal(EARLIER);
    expect(mergedStatus(NO_STATUS, EARLIER)).to.equal(EARLIER);
    expect(merged({})).to.deep.equal({ ...EARLIER, lastPush: 20, usesPrevious: false });
    expect(merged({ lastPush: 7 }).lastPush).to.equal(10);
  });

  it('has what a later upload tells', () => {
    const later = {
      lastSuccess: 20,
      lastError: { time: 20, text: 'x' },
      address: 'b',
      dialect: 'e',
      model: 'n',
      firmware: 'g',
      clockSkew: 0,
      interval: 30,
      usesPrevious: false,
      gauge: 'piezo',
      rainReport: { time: 20, text: 'y' },
      remarks: ['new'],
    };
    expect(merged({ ...later, counts: { stored: 10, unchanged: 20, refused: 30 } })).to.deep.include({
      ...later,
      counts: { stored: 11, unchanged: 22, refused: 33 },
    });
    expect(merged({ remarks: ['new'] }).remarks).to.deep.equal(['old']);
    expect(merged({ batteries: { two: 'low', three: 'ok' } }).batteries).to.deep.equal({
      one: 'ok',
      two: 'low',
      three: 'ok',
    });
  });

  it('notes when another identity has come', () => {
    const identity = (later: UploadStatus['identity'], earlier = EARLIER.identity) =>
      mergedStatus({ ...EARLIER, identity: earlier }, { ...NO_STATUS, lastPush: 20, identity: later })
        .identity;
    expect(identity(null)).to.deep.equal({ digest: 'i', changedAt: null });
    expect(identity({ digest: 'j', changedAt: null }, null)).to.deep.equal({ digest: 'j', changedAt: null });
    expect(identity({ digest: 'i', changedAt: null })).to.deep.equal({ digest: 'i', changedAt: null });
    expect(identity({ digest: 'j', changedAt: null })).to.deep.equal({ digest: 'i', changedAt: 20 });
    expect(identity({ digest: 'i', changedAt: null }, { digest: 'i', changedAt: 15 })?.changedAt).to.equal(
      15,
    );
    expect(identity({ digest: 'i', changedAt: 18 }, { digest: 'i', changedAt: 15 })?.changedAt).to.equal(18);
  });

  it('has so many fields and batteries; fields that are silent for a week make room', () => {
    const fields = (count: number, time: number, name: string) =>
      Array.from({ length: count }, (_, index) => ({ name: `${name}${index}`, value: index, time }));
    const now = 10 * RAW_AGE;
    const unmapped = (count: number, time: number, more: number) =>
      mergedStatus(
        { ...EARLIER, unmapped: fields(count, time, 'a') },
        { ...NO_STATUS, lastPush: now, unmapped: fields(more, now, 'b') },
      ).unmapped;
    expect(unmapped(MAX_FIELDS - 1, 0, 1)).to.have.length(MAX_FIELDS);
    expect(unmapped(MAX_FIELDS, now - RAW_AGE, 1)).to.deep.equal(fields(1, now, 'b'));
    expect(unmapped(MAX_FIELDS, now - RAW_AGE + 1, 1).map(({ name }) => name)).not.to.include('b0');
    expect(unmapped(MAX_FIELDS, now, 5)).to.have.length(MAX_FIELDS);
    const batteries = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`c${index}`, 'ok']));
    expect(Object.keys(merged({ batteries: batteries(MAX_BATTERIES - 2) }).batteries)).to.have.length(
      MAX_BATTERIES,
    );
    expect(Object.keys(merged({ batteries: batteries(MAX_BATTERIES) }).batteries)).to.have.length(
      MAX_BATTERIES,
    );
  });

  it('has the last uploads of a week, each once, with what went wrong', () => {
    const times = Array.from({ length: 30 }, (_, index) => raw(index));
    expect(withRaw(times.slice(0, 15), times.slice(15))).to.deep.equal(times.toReversed().slice(0, MAX_RAW));
    const now = 2 * RAW_AGE;
    expect(
      withRaw([raw(now - RAW_AGE), raw(now - RAW_AGE + 1)], [raw(now)]).map(({ time }) => time),
    ).to.deep.equal([now, now - RAW_AGE + 1]);
    expect(withRaw([raw(1, 'x', 'stored')], [raw(1, 'x', 'unchanged')])).to.deep.equal([
      raw(1, 'x', 'stored'),
    ]);
    expect(withRaw([raw(1, 'x', 'stored')], [raw(1, 'x', 'too old')])).to.deep.equal([
      raw(1, 'x', 'too old'),
    ]);
    expect(withRaw([raw(1, 'y')], [raw(1, 'x')])).to.have.length(2);
    expect(withRaw([], [])).to.deep.equal([]);
  });

  it('has no secret and no sign of control in a text, which is cut', () => {
    const secret = secretText(Uint8Array.from({ length: 16 }, (_, index) => 17 * index));
    expect(keptText(secret)).to.equal('***');
    expect(keptText(`a ${secret.toUpperCase()}x b`)).to.equal('a *** b');
    expect(keptText('a\u0007b\nc')).to.equal('a b c');
    expect(keptText('x y'.repeat(50))).to.have.length(MAX_TEXT);
    expect(keptText('GW1100A_V2.3.1')).to.equal('GW1100A_V2.3.1');
  });
});
