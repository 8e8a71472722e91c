import { expect } from 'chai';
import { discarded } from '#adapters/formats/garbage.js';

const MIB = 2 ** 20;

describe('discarded columns', () => {
  it('are collected every few megabytes', () => {
    const before = process.memoryUsage().arrayBuffers;
    let most = 0;
    for (let count = 0; count < 200; count += 1) {
      const column = new Float64Array(MIB / 8).fill(count);
      most = Math.max(most, process.memoryUsage().arrayBuffers - before);
      discarded(column.byteLength);
    }
    // V8 itself collects them every 32 MiB.
    expect(most).to.be.below(16 * MIB);
  });
});
