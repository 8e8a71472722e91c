import { expect } from 'chai';
import { summaryOf } from '#adapters/cli/import/import-summary.js';
import { imported } from '../../../support/imported.js';

const COUNTS = { inserted: 0, updated: 0, unchanged: 0, repeated: 0, rejected: 0, cells: 0 };

describe('the summary of an import', () => {
  it('says as what words, and texts behind numbers, were read, so that they do not look like rejections', async () => {
    const wu = await imported('weather-underground/table.csv', {
      content: [
        'Date;Time;Temperature_C;Wind',
        '01/01/2024;12:04 AM;5;South',
        '01/01/2024;12:09 AM;5;South',
        '01/01/2024;12:14 AM;5;Calm',
        '01/01/2024;12:19 AM;5;NNE',
        '',
      ].join('\n'),
    });
    expect(wu.faults).to.deep.equal([]);
    expect(
      summaryOf({ ...COUNTS, rows: 4 }, wu.notes)
        .split('\n')
        .slice(1),
    ).to.deep.equal([
      'Column "Wind": "South" was read as 180 (2 cells), "Calm" was read as no value (1 cell).',
    ]);
    const lcd = await imported('noaa-lcd/LCDv1_3876540.csv', { zone: 'America/New_York' });
    expect(summaryOf({ ...COUNTS, rows: 0 }, lcd.notes)).to.match(
      /Column "HourlyPrecipitation": .*"T" was read as a trace \(\d+ cells\).*"s" behind numbers was left out \(1 cell\)/,
    );
  });
});
