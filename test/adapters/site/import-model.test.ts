import { expect } from 'chai';
import {
  changedSettings,
  choicesOf,
  type ColumnChoice,
  type Complete,
  completeOf,
  correctedOptions,
  draftOf,
  fieldsOf,
  type ImportJob,
  type ImportOptions,
  lockOf,
  lostFiles,
  typedOptions,
} from '#adapters/site/client/admin/imports/import-model.js';

type Plan = NonNullable<ImportJob['plan']>['plans'][number];

const column = (heading: string, variable: string, unit: string, kind: 'value' | 'counter' = 'value') => ({
  heading,
  variable,
  unit,
  reading: unit,
  kind,
});
const planOf = (format: string | null) =>
  ({
    format,
    columns: [
      column('T', 'air_temperature', '°C'),
      column('W', 'wind_speed', 'm/s'),
      column('R', 'precipitation_amount', 'mm', 'counter'),
    ],
    left_out: [{ reason: 'indoor', headings: ['Tin', 'Hin'] }],
  }) as unknown as Plan;

describe('typed options of an import', () => {
  it('replace the earlier ones, and an empty text leaves it to the service', () => {
    const earlier = { time_zone: 'utc', time_column: ['a'], time_format: ['iso'], missing: ['-'] };
    expect(typedOptions(earlier, { time_zone: '', time_column: '', time_format: '' })).to.deep.equal({
      missing: ['-'],
    });
    const typed = { time_zone: '+01:00', time_column: 'Date , Time,', time_format: 'unix' };
    expect(typedOptions(earlier, typed)).to.deep.equal({
      missing: ['-'],
      time_zone: '+01:00',
      time_column: ['Date', 'Time'],
      time_format: ['unix'],
    });
  });

  it('are the shown texts, in both directions', () => {
    const options: ImportOptions = {
      time_zone: 'utc',
      preset: 'ecowitt',
      only: 'A1',
      time_column: ['Date', 'Time'],
      time_format: ['unix', 'MMM D, YYYY HH:mm'],
      header: false,
      skip_lines: 0,
      decimal: ',',
      missing: ['-999', 'n/a'],
      where: ['type=hourly', 'type=daily'],
      delimiter: '\t',
      encoding: 'windows-1252',
      date: '2024-07-01',
      date_order: 'MDY',
      variable_column: 'what',
      value_column: 'how much',
      stamp_interval: 0,
      interval: 600,
      ambiguous: 'later',
      trace: ['T', 'tr'],
      issued: '2024-07-01',
    };
    expect(Object.keys(fieldsOf({}))).to.have.members(Object.keys(options));
    const shown = fieldsOf(options);
    const empty = fieldsOf({});
    expect(typedOptions({}, shown)).to.deep.equal(options);
    expect(typedOptions(options, shown)).to.deep.equal(options);
    expect(typedOptions(options, empty)).to.deep.equal({});
    for (const name of Object.keys(options) as (keyof typeof shown)[]) {
      const { [name]: _removed, ...others } = options;
      expect(typedOptions(options, { [name]: '' })).to.deep.equal(others);
      expect(typedOptions({ leave_out: ['T'] }, { ...empty, [name]: shown[name] })).to.deep.equal({
        leave_out: ['T'],
        [name]: options[name],
      });
    }
  });
});

describe('the form of an import', () => {
  const job = (changes: Partial<ImportJob> = {}) =>
    ({
      state: 'ready',
      plan: { files: 1, plans: [planOf('ecowitt')], skipped: [] },
      questions: [{ key: 'unit:wind', text: 'Unit?', choices: ['m/s', 'km/h'] }],
      answers: {},
      options: { time_zone: 'utc', time_format: ['iso', 'unix'], missing: ['-'] },
      ...changes,
    }) as unknown as ImportJob;
  const { options } = job();
  const { choices } = draftOf(job());
  const corrected = choices.map((choice, at) => (at === 0 ? { ...choice, unit: '°F' } : choice));
  const columns = [{ column: 'T', variable: 'air_temperature', unit: '°F' }];

  it('is as the service has planned it until something was changed, and after a change was taken back', () => {
    const shown = { time_zone: 'utc', time_column: '', time_format: 'iso | unix' };
    for (const one of [job(), job({ plan: null })])
      for (const fields of [{}, shown, { ...shown, 'unit:wind': '' }, { other: 'x' }])
        expect(changedSettings(one, { ...draftOf(one), fields })).to.equal(undefined);
  });

  it('sends all that was changed in one request, and nothing else', () => {
    const answered = { 'unit:wind': 'km/h' };
    const zoned = { time_zone: '+01:00' };
    for (const [draft, sent] of [
      [{ choices, fields: answered }, { answers: answered }],
      [{ choices: corrected, fields: {} }, { options: { ...options, columns } }],
      [{ choices, fields: zoned }, { options: { ...options, ...zoned } }],
      [
        { choices: corrected, fields: { ...answered, ...zoned } },
        { answers: answered, options: { ...options, ...zoned, columns } },
      ],
    ] as const)
      expect(changedSettings(job(), draft)).to.deep.equal(sent);
  });

  it('does not correct columns where this would answer open questions or leave out other files', () => {
    const [table, known] = [planOf(null), planOf('ecowitt')];
    for (const [plans, questions, lock] of [
      [[table], job().questions, 'questions'],
      [[table], [], undefined],
      [[known], job().questions, undefined],
      [[known, table], [], 'files'],
      [[table, known], job().questions, 'files'],
    ] as const) {
      const one = job({
        plan: { files: plans.length, plans: [...plans], skipped: [] },
        questions: [...questions],
      });
      expect(lockOf(one)).to.equal(lock);
      const sent = changedSettings(one, { choices: corrected, fields: { 'unit:wind': 'km/h' } });
      expect(sent?.options === undefined).to.equal(lock !== undefined);
    }
  });

  it('names the files that a change would leave out, until it is taken back', () => {
    const planned = (...files: readonly string[]) =>
      job({
        plan: {
          files: 2,
          plans: [planOf(null)],
          skipped: files.map((file) => ({ file, reason: 'unknown' })),
        },
        options: { preset: files.join(' ') },
      });
    let complete: Complete | undefined;
    const lost = [
      planned('readme'),
      planned('readme', 'b.csv'),
      job({ plan: null }),
      planned('b.csv', 'c.csv'),
      planned('readme'),
      planned(),
      planned('readme'),
    ].map((one) => {
      complete = completeOf(complete, one);
      return lostFiles(complete, one).join(' ');
    });
    expect(lost).to.deep.equal(['', 'b.csv', '', 'b.csv c.csv', '', '', 'readme']);
    expect(complete).to.deep.equal({ options: { preset: '' }, skipped: [] });
  });
});

describe('corrected columns of an import', () => {
  const before = choicesOf(planOf(null));
  const withChange = (index: number, change: Partial<ColumnChoice>) =>
    before.map((choice, at) => (at === index ? { ...choice, ...change } : choice));

  it('are all columns of the file, the imported ones first', () => {
    expect(before.map(({ heading, variable, kind }) => [heading, variable, kind])).to.deep.equal([
      ['T', 'air_temperature', undefined],
      ['W', 'wind_speed', undefined],
      ['R', 'precipitation_amount', 'counter'],
      ['Tin', '', undefined],
      ['Hin', '', undefined],
    ]);
  });

  it('are named completely for a table of no format, because the service leaves out all others', () => {
    const others = [
      { column: 'W', variable: 'wind_speed', unit: 'm/s' },
      { column: 'R', variable: 'precipitation_amount', unit: 'mm', kind: 'counter' },
    ];
    const correct = (after: readonly ColumnChoice[]) => correctedOptions(planOf(null), {}, before, after);
    expect(correct(withChange(0, { unit: '°F' }))).to.deep.equal({
      columns: [{ column: 'T', variable: 'air_temperature', unit: '°F' }, ...others],
    });
    expect(correct(withChange(0, { variable: '' }))).to.deep.equal({ columns: others });
  });

  it('are only the changed ones for a known format, together with earlier corrections', () => {
    const earlier = {
      time_zone: 'utc',
      columns: [
        { column: 'W', variable: 'wind_speed', unit: 'kt' },
        { column: 'T', variable: 'air_temperature', unit: 'K' },
      ],
      leave_out: ['R', 'X'],
    };
    const correct = (after: readonly ColumnChoice[]) =>
      correctedOptions(planOf('ecowitt'), earlier, before, after);
    expect(correct(before)).to.deep.equal(earlier);
    expect(correct(withChange(0, { unit: '°F' }))).to.deep.equal({
      ...earlier,
      columns: [earlier.columns[0], { column: 'T', variable: 'air_temperature', unit: '°F' }],
    });
    expect(correct(withChange(1, { variable: '' }))).to.deep.equal({
      ...earlier,
      columns: [earlier.columns[1]],
      leave_out: ['R', 'X', 'W'],
    });
    expect(correct(withChange(2, { kind: 'amount' }))).to.deep.equal({
      ...earlier,
      columns: [
        ...earlier.columns,
        { column: 'R', variable: 'precipitation_amount', unit: 'mm', kind: 'amount' },
      ],
      leave_out: ['X'],
    });
  });
});
