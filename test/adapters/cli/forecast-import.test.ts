import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ForecastRecords } from '#application/forecast/forecast-records.js';
import { forecastText } from '#domain/forecast/forecast-text.js';
import { MILLISECONDS } from '#domain/time.js';
import { runIn } from '../../support/command-line.js';
import { addStation } from '../../support/weather-world.js';
import { World } from '../../support/world.js';

const FIRST = Date.UTC(2020, 0, 1);
const DAYS = 30;
const HEADING = 'issued,time,air_temperature:°F';
const isoOf = (time: number) => new Date(time).toISOString();

/** The lines of forecasts of three hours that were issued each hour. There are more than are handed over at once. */
const LINES = Array.from({ length: DAYS * 24 }, (_, hour) => FIRST + hour * MILLISECONDS.hour).flatMap(
  (issued) =>
    [1, 2, 3].map((lead) =>
      [isoOf(issued), isoOf(issued + lead * MILLISECONDS.hour), 32 + 9 * lead].join(','),
    ),
);

describe('weatherd forecast import', () => {
  let world: World;
  let folder: string;

  before(async () => {
    world = await World.make();
    await addStation(world);
    folder = mkdtempSync(join(tmpdir(), 'weatherd-forecast-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  async function importOf(lines: readonly string[]) {
    const file = join(folder, 'past.csv');
    writeFileSync(file, [HEADING, ...lines, ''].join('\n'));
    return await runIn(world, ['forecast', 'import', file, '--station', 'JFK']);
  }

  async function stored(): Promise<readonly string[]> {
    const station = await world.stores.stations.find('JFK');
    const series = { station: station?.number ?? 0, provider: 'open-meteo' };
    const texts: string[] = [];
    const to = FIRST + 2 * DAYS * MILLISECONDS.day;
    for await (const one of world.get(ForecastRecords).issued(series, FIRST, to))
      texts.push(forecastText(one));
    return texts;
  }

  it('changes nothing and names the line of a file with a fault, also in its last line', async () => {
    const [issued, time] = [
      isoOf(FIRST + DAYS * MILLISECONDS.day),
      isoOf(FIRST + (DAYS + 1) * MILLISECONDS.day),
    ];
    for (const [line, reason] of [
      [`${issued},${time},warm`, '"warm" is not a number.'],
      [`${issued},${time},1e999`, '"1e999" is not a number.'],
      [`${issued},${time},-1e300`, '-1e300 is too large for a value of the weather.'],
      [`${issued},${time}`, 'there are 2 cells instead of 3.'],
      [`${issued},${time.replace(':00:', ':30:')},5`, 'is not a whole hour.'],
      [`yesterday,${time},5`, 'the first two cells are the time of issue'],
      [`9999-01-01T00:00:00Z,9999-01-01T06:00:00Z,5`, '9999-01-01T00:00:00Z is later than now.'],
    ] as const) {
      // oxlint-disable-next-line no-await-in-loop -- one file after the other
      const { status, stderr } = await importOf([...LINES, line]);
      expect(status, line).to.equal(1);
      expect(stderr)
        .to.contain(`line ${LINES.length + 2}: `)
        .and.contain(reason);
      // oxlint-disable-next-line no-await-in-loop -- as above
      expect(await stored(), line).to.deep.equal([]);
    }
  });

  it('learns from each forecast once', async () => {
    expect((await importOf(LINES)).stdout).to.contain(`Learned from ${DAYS * 24} forecasts`);
    const texts = await stored();
    expect(texts).to.have.lengthOf(DAYS * 24);
    const others = LINES.map((line) => line.replace(/\d+$/, '99'));
    for (const lines of [LINES, LINES.toReversed(), others, LINES.slice(0, 1)]) {
      // oxlint-disable-next-line no-await-in-loop -- one file after the other
      expect((await importOf(lines)).stdout).to.contain('Learned from 0 forecasts');
      // oxlint-disable-next-line no-await-in-loop -- as above
      expect(await stored()).to.deep.equal(texts);
    }
  });
});
