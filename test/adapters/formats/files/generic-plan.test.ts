import { expect } from 'chai';
import fc from 'fast-check';
import { TemporalCalendar } from '#adapters/calendar-temporal/temporal-calendar.js';
import { fileHead } from '#adapters/formats/files/file-head.js';
import type { TableOptions } from '#adapters/formats/files/generic-columns.js';
import { type GenericPlan, genericPlan } from '#adapters/formats/files/generic-plan.js';
import { Questions } from '#adapters/formats/files/questions.js';
import { fileTimes } from '#adapters/formats/tables/file-times.js';
import { localZone } from '#adapters/formats/tables/local-zone.js';
import { readAll } from '../../../support/imported.js';

const utc = localZone('utc', 'UTC', new TemporalCalendar());

function planned(
  text: string | Buffer,
  options: Partial<TableOptions> = {},
  answers: Readonly<Record<string, string>> = {},
): GenericPlan {
  const head = fileHead('x.csv', Buffer.from(text), true);
  const fits = (time: string, format: string) => fileTimes([format]).instants(time, utc).length > 0;
  const all = { map: [], where: [], missing: [], trace: [], ...options };
  return genericPlan(head, all, new Questions(new Map(Object.entries(answers))), fits);
}

/** The first row as it will be stored, in UTC. */
async function firstRow(text: string, plan: GenericPlan) {
  const source = {
    text: async function* () {
      yield Buffer.from(text);
    },
    canRepeat: true,
    path: undefined,
    sqlite: () => {
      throw new Error('there is no path');
    },
  };
  const { rows } = await readAll(plan, source, { zone: 'UTC' });
  const { line: _line, station: _station, ...row } = rows[0] ?? {};
  return row;
}

const HOUR = 3_600_000;
const digitsOf = (time: number) => new Date(time).toISOString().replaceAll(/\D/g, '').slice(0, 14);
/** Whether a text is an hour in the form YYYYMMDDHH. */
const isDateOfDigits = (text: string) => fileTimes(['YYYYMMDDHH']).instants(text, utc).length > 0;
const keys = (plan: GenericPlan) => plan.questions?.map(({ key }) => key);

describe('a table of no make', () => {
  it('is read with a preamble, with a date and a time apart, a decimal comma, and units in headings', async () => {
    const excel = 'Datum;Uhrzeit;Temperatur (°C);Luftfeuchte;Regen (mm)\r\n01.07.2024;01:00;21,5;50;0,2\r\n';
    const plan = planned(excel);
    expect([plan.decimal, plan.questions, plan.isSure]).to.deep.equal([',', [], false]);
    expect(await firstRow(excel, plan)).to.deep.equal({
      time: '2024-07-01T01:00:00Z',
      air_temperature: 21.5,
      relative_humidity: 50,
      precipitation_amount: 0.2,
    });
    const openMeteo =
      'latitude,longitude,elevation\n52.52,13.41,38.0\n\ntime,temperature_2m (°F),wind_speed_10m (km/h)\n2024-07-01T00:00,59,3.6\n';
    const gaps = 'time,a\n\n2024-07-01T00:00,59\n\n2024-07-01T01:00,59\n';
    expect(planned(gaps, { map: [{ field: 'a', variable: 'air_temperature' }] }).layout).to.include({
      first: 2,
    });
    expect(await firstRow(openMeteo, planned(openMeteo))).to.deep.equal({
      time: '2024-07-01T00:00:00Z',
      air_temperature: 15,
      wind_speed: 1,
    });
  });

  it('is read with units in cells, compass letters, a clock of twelve hours and the date that a person gives', async () => {
    const text = 'Time,Temperature,Wind,Gust\n12:04 AM,59.0 °F,NNE,10.0 mph\n1:09 PM,58.8 °F,NNE,3.0 mph\n';
    expect(() => planned(text)).to.throw('have no date. Name the date with --date YYYY-MM-DD');
    expect(await firstRow(text, planned(text, { date: '2024-07-01' }))).to.deep.equal({
      time: '2024-07-01T00:04:00Z',
      air_temperature: 15,
      wind_from_direction: 22.5,
      wind_speed_of_gust: 4.4704,
    });
  });

  it('is sure only where headings are names of variables, or a person has said what they are', () => {
    const named = planned('time,air_temperature (°F),notes,quality\n2024-01-01T00:00:00Z,50,windy,\n');
    expect([named.isSure, named.questions]).to.deep.equal([true, []]);
    expect(named.columns.map(({ kind }) => kind)).to.deep.equal(['value', 'left out', 'left out']);
    const map = [{ field: 't', variable: 'air_temperature' }];
    expect(planned('time,t\n2024-01-01T00:00:00Z,5\n', { map }).isSure).to.equal(true);
    expect(planned('time,temp (°C)\n2024-01-01T00:00:00Z,5\n').isSure).to.equal(false);
  });

  it('asks for the order of dates and for units, and takes the answers', async () => {
    const text = 'date,time,temp,rain\n1/2/2024,10:00,59,1\n1/2/2024,11:00,58,0\n';
    expect(keys(planned(text))).to.deep.equal(['date-order', 'unit:temperature', 'unit:rain']);
    const answers = { 'date-order': 'MDY', 'unit:temperature': '°F', 'unit:rain': 'in' };
    const plan = planned(text, {}, answers);
    expect(keys(plan)).to.deep.equal([]);
    expect(await firstRow(text, plan)).to.deep.equal({
      time: '2024-01-02T10:00:00Z',
      air_temperature: 15,
      precipitation_amount: 25.4,
    });
    expect(keys(planned(text.replace('1/2/2024,11', '13/2/2024,11')))).not.to.include('date-order');
  });

  it('asks whether amounts that go on and on are a running total, also where they begin to late in the file', async () => {
    const rows = (levels: readonly number[]) =>
      `time,rain\n${levels.map((level, row) => `${1_700_000_000 + row * 600},${level}\n`).join('')}`;
    const total = rows(Array.from({ length: 30 }, (_, row) => Math.round(row * 2) / 10));
    const map = [{ field: 'rain', variable: 'precipitation_amount', unit: 'mm' }];
    expect(keys(planned(total, { map }))).to.deep.equal(['kind:rain']);
    const counted = planned(total, { map: [{ ...map[0], kind: 'counter' } as (typeof map)[0]] });
    expect(keys(counted)).to.deep.equal([]);
    expect(counted.columns[0]?.kind).to.equal('counter');
    expect(planned(total, { map }, { 'kind:rain': 'amount' }).columns[0]?.kind).to.equal('value');
    const dry = rows([
      ...Array.from({ length: 400 }, () => 0),
      ...Array.from({ length: 30 }, (_, row) => row),
    ]);
    const plan = planned(dry, { map });
    expect(keys(plan)).to.deep.equal([]);
    const error = await firstRow(dry, plan).catch((reason: unknown) => reason);
    expect(error)
      .to.be.an('error')
      .with.property('message')
      .that.matches(
        /^Up to line 4\d\d the column "rain" looks like a running total\. Use --counter rain .* --amount rain /,
      );
    const rain = rows(Array.from({ length: 300 }, (_, row) => [0, 0.2, 0.2, 0.4, 0.1][row % 5] as number));
    expect(keys(planned(rain, { map }))).to.deep.equal([]);
    expect(await firstRow(rain, planned(rain, { map }))).to.include({ precipitation_amount: 0 });
  });

  it('is read without headings by the numbers of columns, and in the long form', async () => {
    const bare = '2024-07-01,1,15.1\n2024-07-01,2,15.2\n';
    expect(() => planned(bare)).to.throw('--no-header');
    const options = { header: false, timeColumn: ['1', '2'], timeFormat: ['YYYY-MM-DD H'] };
    const plan = planned(bare, { ...options, map: [{ field: '3', variable: 'air_temperature' }] });
    expect(await firstRow(bare, plan)).to.deep.equal({ time: '2024-07-01T01:00:00Z', air_temperature: 15.1 });
    const long = 'when,what,value\n2024-07-01T00:00Z,out,50\n2024-07-01T00:00Z,in,70\n';
    const wanted = planned(long, {
      variableColumn: 'what',
      valueColumn: 'value',
      map: [{ field: 'out', variable: 'air_temperature', unit: '°F' }],
    });
    expect(await firstRow(long, wanted)).to.deep.equal({ time: '2024-07-01T00:00:00Z', air_temperature: 10 });
  });

  it('is refused with the option to give where something cannot be found out', () => {
    for (const [text, options, reason] of [
      ['', {}, 'The file is empty.'],
      ['a,b\n1,2\n', {}, 'Name it with --time-column'],
      [
        'time,a\nnever,2\n',
        { map: [{ field: 'a', variable: 'air_temperature' }] },
        'Name it with --time-format',
      ],
      ['time,a\n2024-01-01,2\n', {}, '--map COLUMN=VARIABLE:UNIT'],
      [
        'time,a,a\n2024-01-01,2,3\n',
        { map: [{ field: 'a', variable: 'air_temperature' }] },
        'two columns "a"',
      ],
      ['time,air_temperature,air_temperature\n2024-01-01,2,3\n', {}, 'two columns "air_temperature"'],
      [
        'time,temp\n2024-01-01,2\n',
        { map: [{ field: 'tmp', variable: 'air_temperature' }] },
        'Did you mean "temp"?',
      ],
      ['time,"air_temperature\n1300000000,1\n', {}, 'Line 1 cannot be read as CSV'],
    ] as const) {
      expect(() => planned(text, options), text).to.throw(reason);
    }
  });

  it('knows seconds and milliseconds since 1970 from dates of digits alone, by all of their rows', () => {
    const forms: Readonly<Record<string, (time: number) => string>> = {
      unix: (time) => String(time / 1000),
      'unix-ms': String,
      YYYYMMDDHH: (time) => digitsOf(time).slice(0, 10),
      YYYYMMDDHHmm: (time) => digitsOf(time).slice(0, 12),
      YYYYMMDDHHmmss: digitsOf,
    };
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.keys(forms)),
        fc.integer({ min: Date.UTC(1990, 0) / HOUR, max: Date.UTC(2099, 11) / HOUR }),
        fc.integer({ min: 2, max: 60 }),
        (format, first, count) => {
          const rows = Array.from({ length: count }, (_, row) => forms[format]?.((first + row) * HOUR));
          // Nothing tells the formats of these numbers apart.
          fc.pre(format !== 'unix' || !rows.every((text) => isDateOfDigits(String(text))));
          const { time } = planned(`time,temperature (°C)\n${rows.map((text) => `${text},1\n`).join('')}`);
          expect(time.formats).to.deep.equal([format]);
        },
      ),
      { examples: [['unix', 1_704_067_200_000 / HOUR, 2]] },
    );
  });

  it('cites a time of no known form, not one that is read', () => {
    for (const good of [
      '2023-01-01T00:00:00Z',
      '1.2.2023 10:00',
      '1672531200',
      '202301010000',
      '1/13/2023',
    ]) {
      for (const odd of ['yesterday', '2023 W05', '01|02|2023']) {
        const rows = [good, odd, odd, odd].map((time) => `${time},1\n`).join('');
        expect(() => planned(`time,air_temperature\n${rows}`), good).to.throw(
          `Times such as ${JSON.stringify(odd)} have an unknown format`,
        );
      }
    }
    expect(() => planned('time,air_temperature\nnever,1\n2023-01-01,1\nx,1\ny,2\n')).to.throw('"never"');
  });

  it('names --encoding where headings beyond ASCII are not known', () => {
    const garbled = Buffer.from('time;TempÃ©rature;LuftdrÃ¼ck\n2023-01-01T00:00:00Z;1;2\n', 'latin1');
    expect(() => planned(garbled.toString('latin1'))).to.throw('--encoding');
    expect(() => planned('time;a;b\n2023-01-01T00:00:00Z;1;2\n')).to.throw(/^(?!.*--encoding)/);
  });
});
