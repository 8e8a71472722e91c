import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { ThreadPartChecker } from '#adapters/quality-threads/thread-part-checker.js';
import { checkPart, type PartToCheck } from '#domain/weather/quality/check-part.js';
import { ALL, HOUR, mildDays, seriesOf } from '../../domain/weather/quality/made-series.js';
import { STATION } from '../../support/weather-world.js';
import { domainErrorOf } from '../../support/rejection.js';
import { ENDS_AT_START } from '../../support/installation.js';

describe('ThreadPartChecker', () => {
  let checker: ThreadPartChecker;
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'weatherd-'));
  });
  afterEach(async () => {
    await checker.close();
    rmSync(folder, { recursive: true });
  });

  const part = (): PartToCheck => ({
    station: { ...STATION, number: 1, limits: { air_temperature: { min: 11, max: 50 } } },
    range: ALL,
    stored: [seriesOf(HOUR, { air_temperature: mildDays(96, HOUR) })],
    neighbors: [1, 2, 3].map((number) => ({
      station: { ...STATION, id: `n${number}`, number: 1 + number },
      distance: 1000,
      series: seriesOf(HOUR, { air_temperature: mildDays(96, HOUR, 12) }),
    })),
    overrides: [],
  });

  it('gives the result of checkPart, takes the rows of the station and leaves the rows of the neighbors', async () => {
    checker = new ThreadPartChecker();
    // Rows are moved as soon as a thread has shown that it works.
    for (const rows of [96, 0, 0]) {
      const sent = part();
      const found = await checker.check(sent);
      expect(found?.times.length).to.be.greaterThan(10);
      expect(found).to.deep.equal(checkPart(part()));
      expect(sent.stored[0]?.times.length).to.equal(rows);
      expect(sent.neighbors.map(({ series }) => series.times.length)).to.deep.equal([96, 96, 96]);
    }
  });

  it('does the work without a thread if none can start, from the first part on', async () => {
    const file = join(folder, 'worker.mjs');
    writeFileSync(file, ENDS_AT_START.throws as string);
    checker = new ThreadPartChecker(pathToFileURL(file).href);
    for (let round = 0; round < 2; round += 1)
      expect(await checker.check(part())).to.deep.equal(checkPart(part()));
  });

  it('goes on with another thread after a thread has ended during a part', async () => {
    const file = join(folder, 'worker.mjs');
    writeFileSync(
      file,
      `export default ({ station }) => station.name === 'ends' ? process.exit(3) : station.name;`,
    );
    checker = new ThreadPartChecker(pathToFileURL(file).href);
    const { station, ...others } = part();
    await domainErrorOf(
      checker.check({ ...others, station: { ...station, name: 'ends' } }),
      'SERVICE_UNAVAILABLE',
    );
    expect(await checker.check(part())).to.equal(STATION.name);
  });
});
