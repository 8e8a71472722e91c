import { expect } from 'chai';
import { batteryState } from '#adapters/uploads/reading/battery.js';
import { sentNumber } from '#adapters/uploads/reading/sent-number.js';
import { sentTime, uploadTime } from '#adapters/uploads/reading/utc-time.js';

describe('sentNumber', () => {
  it('reads decimal numbers as consoles send them', () => {
    for (const [text, value] of [
      ['080', 80],
      ['1', 1],
      [' 31.100', 31.1],
      ['35,6', 35.6],
      ['-0.5', -0.5],
      ['+.5', 0.5],
      ['1e-3', 0.001],
      ['-998', -998],
    ] as const)
      expect(sentNumber(text), text).to.equal(value);
    for (const text of [
      '',
      '--',
      '-9999',
      '-9999.0',
      '-999',
      '-999.00',
      'NaN',
      'Infinity',
      '1e999',
      '0x1',
      '1 2',
      'on',
    ])
      expect(sentNumber(text), text).to.equal(undefined);
  });
});

describe('sentTime', () => {
  it('reads the times of consoles as UTC', () => {
    for (const [text, instant] of [
      ['2026-11-21 15:09:01', '2026-11-21T15:09:01Z'],
      ['2026-11-21+15:09:01', '2026-11-21T15:09:01Z'],
      ['2026-11-21%2015:09:01', '2026-11-21T15:09:01Z'],
      ['2026-11-21T15:09:01', '2026-11-21T15:09:01Z'],
      ['2026-11-21T15:09:01Z', '2026-11-21T15:09:01Z'],
      ['2016-1-4 21:2:35', '2016-01-04T21:02:35Z'],
      ['2024-02-08 10: 36: 28', '2024-02-08T10:36:28Z'],
      [' 2024-02-29 0:0:0 ', '2024-02-29T00:00:00Z'],
      ['2024-02-29 10:05', '2024-02-29T10:05:00Z'],
    ] as const)
      expect(sentTime(text), text).to.equal(Date.parse(instant));
  });

  it('takes the time of receipt for everything else', () => {
    for (const text of [
      undefined,
      '',
      'now',
      '2023-02-29 10:00:00',
      '2026-11-21',
      '2026-11-21 24:00:00',
      '1795273741',
      '0000-00-00 00:00:00',
    ])
      expect(uploadTime(text, false), text).to.deep.equal({ sent: undefined, isLive: true });
    expect(uploadTime('2026-11-21 15:09:01', false).isLive).to.equal(false);
    expect(uploadTime('2026-11-21 15:09:01', true).isLive).to.equal(true);
  });
});

describe('batteryState', () => {
  it('puts the codes of makers into words', () => {
    for (const [kind, text, state] of [
      ['lowIsOne', '0', 'ok'],
      ['lowIsOne', '1', 'low'],
      ['lowIsZero', '0', 'low'],
      ['lowIsZero', '1', 'ok'],
      ['lowIsZero', '2', '2'],
      ['fifths', '0', '0 %'],
      ['fifths', '3', '60 %'],
      ['fifths', '6', 'mains'],
      ['fifths', '9', '9'],
      ['volts', '1.40', '1.40 V'],
      ['volts', 'x', 'x'],
      ['text', 'normal', 'normal'],
      ['lowIsOne', '', ''],
    ] as const)
      expect(batteryState(kind, text), `${kind} ${text}`).to.equal(state);
  });
});
