import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';

const CHILD = fileURLToPath(new URL('../support/hostile-child.js', import.meta.url));

/** Milliseconds of CPU for a text, and for one of four times the length. */
interface Noticed {
  readonly name: string;
  readonly kind: string;
  readonly short: number;
  readonly long: number;
}

/** A process of its own, so that only the CPU of this work is counted. */
describe('hostile texts', () => {
  let readers: readonly string[];
  let noticed: readonly Noticed[];
  /** The longer text may cost this many times as much. */
  let growth: number;

  before(async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [CHILD], { maxBuffer: 2 ** 24 });
    ({ readers, noticed, growth } = JSON.parse(stdout) as {
      readers: string[];
      noticed: Noticed[];
      growth: number;
    });
  });

  it('reach every parameter, upload, message, file and table', () => {
    const begins = [
      'GET /',
      'DELETE /',
      'PUT /v1/stations/{id} {"',
      'upload wow',
      'upload ecowitt',
      'upload json',
      'upload: ',
    ];
    for (const begin of [...begins, 'message ', 'message: ', 'file: ', 'CSV: ', 'JSON: ']) {
      expect(readers.some((name) => name.startsWith(begin))).to.equal(true, begin);
    }
    expect(readers.length).to.be.above(500);
  });

  it('cost no more than in proportion to their length', () => {
    expect(noticed.filter(({ short, long }) => long > growth * short)).to.deep.equal([]);
  });
});
