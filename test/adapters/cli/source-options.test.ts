import { Command } from 'commander';
import { expect } from 'chai';
import { addSourceOptions, type SourceOptions } from '#adapters/cli/sources/source-options.js';
import { formatSources } from '#adapters/cli/sources/source-table.js';
import { NO_STATE } from '#domain/sources/source.js';

function mappingsOf(...texts: readonly string[]) {
  const command = addSourceOptions(new Command())
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });
  command.parse(
    texts.flatMap((text) => ['--map', text]),
    { from: 'user' },
  );
  return command.opts<SourceOptions>().map;
}

describe('--map of the commands for sources', () => {
  const field = 'sensor.rain_today';
  const variable = 'precipitation_amount';
  for (const [text, mapping] of [
    ['', {}],
    [':mm', { unit: 'mm' }],
    ['*0.2', { scale: 0.2 }],
    [':cm*0.1', { unit: 'cm', scale: 0.1 }],
    [':counter', { counter: true }],
    [':mm:counter', { unit: 'mm', counter: true }],
    ['*0.2:counter', { scale: 0.2, counter: true }],
    [':cm*0.1:counter', { unit: 'cm', scale: 0.1, counter: true }],
  ] as const)
    it(`reads FIELD=VARIABLE${text}`, () => {
      expect(mappingsOf(`${field}=${variable}${text}`)).to.deep.equal([{ field, variable, ...mapping }]);
    });

  it('keeps the colons of the name of a field, and takes several', () => {
    expect(mappingsOf('temperature:100=air_temperature', 'a=b:counter')).to.deep.equal([
      { field: 'temperature:100', variable: 'air_temperature' },
      { field: 'a', variable: 'b', counter: true },
    ]);
  });

  for (const text of [
    '',
    'a',
    '=b',
    'a=',
    'a=b:',
    'a=b*',
    'a=b*x',
    'a=b:counter:mm',
    'a=b:mm:count',
    'a=b:mm:counter*2',
  ])
    it(`refuses ${JSON.stringify(text)}`, () => {
      expect(() => mappingsOf(text)).to.throw(':counter may follow');
    });

  it('is shown by the list of sources', () => {
    const source = {
      ...NO_STATE,
      name: 'home',
      kind: 'home-assistant',
      station: 'JFK',
      settings: {},
      every: null,
      mappings: mappingsOf(`${field}=${variable}:cm*0.1:counter`, 'sensor.soil=soil_temperature') ?? [],
      allowAnyAddress: false,
      paused: false,
      since: 0,
    };
    expect(formatSources([source]).split('\n').slice(2)).to.deep.equal([
      '',
      'Mapped fields:',
      'home: sensor.rain_today is precipitation_amount in cm × 0.1, counter',
      'home: sensor.soil is soil_temperature',
    ]);
  });
});
