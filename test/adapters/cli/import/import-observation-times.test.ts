import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { importFixture } from '../../../support/imported.js';
import { Workplace } from '../../../support/process.js';
import { STATION } from '../../../support/weather-world.js';

const NEW = { ...STATION, timeZone: 'America/New_York', reportingInterval: null };

describe('weatherd import and the time of observation of a station', () => {
  let place: Workplace;
  beforeEach(async () => {
    place = await Workplace.make();
    await place.makeData({}, [
      { ...NEW, id: 'park', identifiers: { ghcn: 'USW00094728' } },
      { ...NEW, id: 'other', identifiers: { ghcn: 'USC00305800' } },
    ]);
  });
  afterEach(() => place.remove());

  const run = async (content: string | Uint8Array, more: readonly string[] = []) => {
    const file = join(place.folder, 'days.csv');
    await writeFile(file, content);
    const { status, stdout, stderr } = await place.run(['import', file, '--yes', '--restart', ...more]);
    expect(status, stderr).to.equal(0);
    return stdout;
  };
  /** Rows of a file of a year: `[date, time]`. */
  const year = (days: readonly (readonly [date: string, time: string])[]) =>
    days.map(([date, time]) => `USW00094728,${date},TMAX,50,,,W,${time}\n`).join('');
  /** Lines with the periods, and the present time. */
  const historyOf = async (id: string) => {
    const { stdout } = await place.run(['station', 'show', id]);
    const lines = [...stdout.matchAll(/^(since|until) (\S+) .*?(?:read at (\S+))? *$/gm)];
    const present = /^daily values +read at (\S+)/m.exec(stdout)?.[1] ?? '-';
    return [...lines.map(([, word, time, at = '-']) => `${word} ${time} ${at}`), present];
  };

  it('sets the times of the file where the history has none, and leaves what a person has set', async () => {
    const days = year([
      ['19500101', '0700'],
      ['19500103', '0700'],
      ['19500104', '2400'],
      ['19500105', '2400'],
    ]);
    const first = await run(days);
    expect(first).to.contain('Set the times of observation of daily values in the history of park');
    const imported = [
      'until 1950-01-01T05:00:00.000Z -',
      'since 1950-01-01T05:00:00.000Z 07:00',
      'since 1950-01-04T05:00:00.000Z 24:00',
      'since 1950-01-06T05:00:00.000Z -',
      '-',
    ];
    expect(await historyOf('park')).to.deep.equal(imported);
    const again = await run(days.replaceAll('0700', '0900'));
    expect(again).not.to.contain('times of observation');
    expect(await historyOf('park')).to.deep.equal(imported);
    const [, number = ''] = /--undo (\d+)/.exec(first) ?? [];
    expect((await place.run(['import', '--undo', number])).status).to.equal(0);
    expect(await historyOf('park')).to.deep.equal(imported);
    // The next file continues the period.
    await run(
      year([
        ['19500106', '2400'],
        ['19500107', ''],
      ]),
    );
    expect(await historyOf('park')).to.deep.equal(imported.with(3, 'since 1950-01-07T05:00:00.000Z -'));
    await place.run(['station', 'set', 'other', '--observation-time', '17:00']);
    expect(await run(importFixture('ghcn-daily/synthetic-station.csv'))).not.to.contain(
      'times of observation',
    );
    expect(await historyOf('other')).to.deep.equal(['17:00']);
  });

  it('reads the times beside the flags of a file with a column for each element', async () => {
    expect(await run(importFixture('ghcn-daily/synthetic-station.csv'))).to.contain('history of other');
    expect(await historyOf('other')).to.deep.equal([
      'until 2020-01-01T05:00:00.000Z -',
      'since 2020-01-01T05:00:00.000Z 07:00',
      'since 2020-01-03T05:00:00.000Z -',
      '-',
    ]);
  });

  it('leaves a history alone that would have too many periods, and says so', async () => {
    const days = Array.from({ length: 120 }, (_, day) => {
      const date = new Date(Date.UTC(1950, 0, 1 + day)).toISOString().slice(0, 10).replaceAll('-', '');
      return [date, day % 2 === 0 ? '0700' : '1800'] as const;
    });
    expect(await run(year(days))).to.contain('The times of observation of park change too often in the file');
    expect(await historyOf('park')).to.deep.equal(['-']);
  });
});
