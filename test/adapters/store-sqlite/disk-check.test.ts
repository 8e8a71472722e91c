import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { DiskCheck } from '#adapters/store-sqlite/database/disk-check.js';
import { domainErrorOf } from '../../support/rejection.js';

describe('DiskCheck', () => {
  let folder: string;
  let file: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'weatherd-disk-'));
    file = join(folder, 'weatherd.db');
    writeFileSync(file, '');
  });
  after(() => rmSync(folder, { recursive: true }));

  const check = (free: number, blocks = 1_000_000) =>
    new DiskCheck(file, async () => ({ bsize: 4096, blocks, bfree: free, bavail: free })).check();

  it('succeeds with enough space, has a defect with little space, and fails without space', async () => {
    expect(await check(100_000)).to.equal(undefined);
    expect(await check(16_384)).to.equal(undefined);
    expect(await check(16_383)).to.equal('The disk is nearly full.');
    expect(await check(16)).to.equal('The disk is nearly full.');
    for (const free of [15, 0]) {
      const error = await domainErrorOf(check(free), 'STORE_UNAVAILABLE');
      expect(error.message).to.equal('The disk is full.');
    }
  });

  it('succeeds if the file system does not report free space', async () => {
    expect(await check(0, 0)).to.equal(undefined);
    expect(await new DiskCheck(file, () => Promise.reject(new Error('ENOSYS'))).check()).to.equal(undefined);
    expect(await new DiskCheck(file).check()).to.be.oneOf([undefined, 'The disk is nearly full.']);
  });

  it('fails where the file cannot be written, without its path in the message', async () => {
    const error = await domainErrorOf(new DiskCheck(join(folder, 'gone')).check(), 'STORE_UNAVAILABLE');
    expect(error.message).to.equal('The data file cannot be written.');
  });
});
