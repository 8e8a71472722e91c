import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import type { OpeningThread } from '../../support/opening-thread.js';

const FILES = 100;
const THREADS = 2;

describe('a new data file', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'weatherd-opening-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is opened by each of two processes that open it at the same moment', async () => {
    const workerData: OpeningThread = {
      files: Array.from({ length: FILES }, (_, index) => join(folder, `${index}.db`)),
      threads: THREADS,
      counters: new Int32Array(new SharedArrayBuffer(8)),
    };
    const script = new URL('../../support/opening-thread.js', import.meta.url);
    const faults = await Promise.all(
      Array.from({ length: THREADS }, async () => {
        const [found] = (await once(new Worker(script, { workerData }), 'message')) as [string[]];
        return found;
      }),
    );
    expect(faults).to.deep.equal([[], []]);
  });
});
