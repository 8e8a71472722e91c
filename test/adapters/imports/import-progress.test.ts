import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ImportProgress } from '#adapters/imports/import-progress.js';
import type { ImportLog } from '#application/ports/import-log.js';

describe('the key of an import', () => {
  let folder: string;
  let file: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'weatherd-progress-'));
    file = join(folder, 'a.csv');
    writeFileSync(file, 'time\n');
  });
  after(() => rmSync(folder, { recursive: true }));

  const keyOf = (options: object, number = 1) =>
    new ImportProgress({} as ImportLog, file, options, [['JFK', number]]).key;
  const options = { map: ['a=b'], unit: { b: 'hPa', a: '°C' }, skipLines: 2 };

  it('does not depend on the order of options, or on options that are not used', () => {
    for (const same of [
      { skipLines: 2, unit: { a: '°C', b: 'hPa' }, map: ['a=b'] },
      { ...options, where: [] },
      { ...options, encoding: undefined },
    ])
      expect(keyOf(same)).to.equal(keyOf(options));
  });

  it('is another one for each other meaning of the file', () => {
    const others = [
      { ...options, map: ['b=a'] },
      { ...options, map: ['a=b', 'c=d'] },
      { ...options, unit: { a: '°F', b: 'hPa' } },
      { ...options, skipLines: 3 },
      { ...options, where: ['a=1'] },
    ];
    const keys = [keyOf(options), keyOf(options, 2), ...others.map((other) => keyOf(other))];
    expect(new Set(keys).size).to.equal(keys.length);
  });
});
