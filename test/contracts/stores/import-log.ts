import { expect } from 'chai';
import type { ImportLog } from '../../../src/application/ports/import-log.js';

/** The rules for every ImportLog. */
export function importLogContract(opened: () => ImportLog): void {
  let log: ImportLog;
  beforeEach(() => (log = opened()));

  it('returns the line that was noted last, separately for each import', async () => {
    expect(await log.lastLine('a')).to.equal(0);
    await log.note('a', 10_000);
    await log.note('b', 7);
    await log.note('a', 2 ** 40);
    expect([await log.lastLine('a'), await log.lastLine('b'), await log.lastLine('c')]).to.deep.equal([
      2 ** 40,
      7,
      0,
    ]);
  });

  it('removes an import, repeatedly too, and begins it again', async () => {
    await log.note('a', 5);
    await log.note('b', 6);
    await log.forget('a');
    await log.forget('a');
    expect([await log.lastLine('a'), await log.lastLine('b')]).to.deep.equal([0, 6]);
    await log.note('a', 1);
    expect(await log.lastLine('a')).to.equal(1);
  });
}
