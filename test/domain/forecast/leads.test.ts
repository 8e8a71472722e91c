import { expect } from 'chai';
import { leadClass, LEADS, partOfDay } from '#domain/forecast/leads.js';
import { MILLISECONDS } from '#domain/time.js';

describe('classes of lead times', () => {
  for (const [hours, name] of [
    [0, '0-5'],
    [5.99, '0-5'],
    [6, '6-11'],
    [11, '6-11'],
    [12, '12-23'],
    [24, '24-47'],
    [48, '48-71'],
    [215, '192-215'],
    [216, '216-239'],
    [239.9, '216-239'],
    [240, undefined],
    [-0.1, undefined],
  ] as const)
    it(`have ${hours} h in ${name ?? 'none'}`, () => {
      const found = leadClass(hours * MILLISECONDS.hour);
      expect(found < 0 ? undefined : LEADS[found]).to.equal(name);
    });
});

describe('the parts of a solar day', () => {
  for (const [time, longitude, part] of [
    ['2026-11-27T00:00:00Z', 0, 0],
    ['2026-11-27T02:59:59Z', 0, 0],
    ['2026-11-27T03:00:00Z', 0, 1],
    ['2026-11-27T23:59:59Z', 0, 7],
    ['2026-11-27T00:00:00Z', -75, 6],
    ['2026-11-27T00:00:00Z', 150, 3],
    ['1969-12-31T23:00:00Z', 0, 7],
  ] as const)
    it(`have ${time} at ${longitude}° in part ${part}`, () => {
      expect(partOfDay(Date.parse(time), longitude)).to.equal(part);
    });
});
