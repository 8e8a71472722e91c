import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { FileLease } from '#adapters/store-sqlite/files/file-lease.js';

describe('FileLease', () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'weatherd-lease-'))));
  afterEach(() => rm(folder, { recursive: true }));

  it('has one holder at a time, until it is released', async () => {
    const [one, two, other] = ['a.lock', 'a.lock', 'b.lock'].map((name) => new FileLease(join(folder, name)));
    expect(await Promise.all([one?.acquire(), one?.acquire()])).to.deep.equal([true, true]);
    expect([await two?.acquire(), two?.isHeld, await other?.acquire()]).to.deep.equal([false, false, true]);
    await two?.release();
    expect(await two?.acquire()).to.equal(false);
    await one?.release();
    expect([one?.isHeld, await two?.acquire(), await one?.acquire()]).to.deep.equal([false, true, false]);
    await two?.release();
    await other?.release();
  });

  it('cannot be held where its file cannot be made', async () => {
    const lease = new FileLease(join(folder, 'missing', 'a.lock'));
    const error = await lease.acquire().catch((reason: unknown) => reason);
    expect([error instanceof Error, lease.isHeld]).to.deep.equal([true, false]);
  });
});
