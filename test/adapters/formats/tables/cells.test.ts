import { expect } from 'chai';
import fc from 'fast-check';
import type { PlannedColumn } from '#adapters/formats/files/file-plan.js';
import { say, textOf } from '#adapters/formats/files/sentences.js';
import { VARIABLES } from '#domain/weather/variables.js';
import { CellReader } from '#adapters/formats/tables/cell-reader.js';

const COLUMN: PlannedColumn = {
  kind: 'value',
  at: 0,
  heading: 'x',
  variable: 'air_temperature',
  unit: '°C',
};
const read = (
  text: string,
  column: Partial<PlannedColumn> = {},
  missing: string[] = [],
  decimal: '.' | ',' = '.',
) => {
  const cell = new CellReader({ ...COLUMN, ...column }, missing, decimal).read(text);
  return { ...cell, fault: cell.fault && textOf(say(cell.fault, { text: '' }), 'command').trim() };
};

describe('the cells of a file', () => {
  it('give every number that Number gives, bit for bit, also with a decimal comma', () => {
    const digits = fc.stringMatching(/^[+-]?\d{0,18}[.]?\d{0,18}(?:e[+-]?\d{1,2})?$/);
    const exact = fc.double({ noNaN: true, noDefaultInfinity: true }).map(String);
    fc.assert(
      fc.property(fc.oneof(digits, exact), (text) => {
        const isNumber = /\d/.test(text.replace(/e.*/, ''));
        const expected = isNumber ? Number(text) : Number.NaN;
        const value = Number.isFinite(expected) ? expected : Number.NaN;
        expect(read(text).value, text).to.be.satisfy((found: number) => Object.is(found, value));
        const comma = text.replace('.', ',');
        expect(read(comma, {}, [], ',').value, comma).to.be.satisfy((found: number) =>
          Object.is(found, value),
        );
      }),
    );
  });

  it('are points of the compass in every direction, and codes for none', () => {
    const points = 'N NNE NE ENE E ESE SE SSE S SSW SW WSW W WNW NW NNW'.split(' ');
    for (const { name, unit, aggregation } of VARIABLES) {
      expect(aggregation === 'direction', name).to.equal(unit === 'degree');
      for (const [index, point] of points.entries()) {
        const { value, fault } = read(point, { variable: name, unit });
        const degrees = index === 0 ? 360 : index * 22.5;
        const expected = unit === 'degree' ? [degrees, undefined] : [Number.NaN, 'is not a number'];
        expect([value, fault], `${name} ${point}`).to.deep.equal(expected);
      }
      for (const code of ['999', '990', '999.0']) {
        const { value, fault } = read(code, { variable: name, unit });
        expect([value, fault], name).to.deep.equal([
          unit === 'degree' ? Number.NaN : Number(code),
          undefined,
        ]);
      }
    }
  });

  it('tell apart what is absent, what has a meaning and what cannot be read', () => {
    const cases: [string, Partial<PlannedColumn>, string[], number, string?][] = [
      ['', {}, [], Number.NaN],
      ['--', {}, ['--'], Number.NaN],
      ['-9999', {}, ['-9999.0'], Number.NaN],
      ['-9999.0', { missing: ['-9999'] }, [], Number.NaN],
      ['T', { words: { T: 0 } }, [], 0],
      ['-1', { words: { '-1': 0 }, factor: 0.1 }, [], 0],
      ['23', { factor: 0.1 }, [], 2.3],
      ['0.06s', { endings: ['s', '*'] }, [], 0.06],
      ['59.0 °F', { endings: ['°F'], unit: '°F' }, [], 59],
      ['-9999 °F', { endings: ['°F'], unit: '°F' }, ['-9999'], Number.NaN],
      ['-1s', { endings: ['s'], words: { '-1': 0 } }, [], 0],
      ['999<br />', { endings: ['<br />'], variable: 'wind_from_direction', unit: 'degree' }, [], Number.NaN],
      ['59.0\u00a0°F', { endings: ['°F'], unit: '°F' }, [], 59],
      ['VRB', { words: { VRB: Number.NaN } }, [], Number.NaN],
      ['nne', { variable: 'wind_from_direction', unit: 'degree' }, [], 22.5],
      ['N', { variable: 'wind_from_direction', unit: 'degree' }, [], 360],
      ['---', { variable: 'wind_from_direction', unit: 'degree' }, ['---'], Number.NaN],
      ['27', { variable: 'wind_from_direction', unit: 'degree', factor: 10 }, [], 270],
      ['W', { variable: 'wind_from_direction', unit: 'degree', factor: 10 }, [], 270],
      ['999', {}, [], 999],
      ['NNE', {}, [], Number.NaN, 'is not a number'],
      ['0x10', {}, [], Number.NaN, 'is not a number'],
      ['Infinity', {}, [], Number.NaN, 'is not a number'],
      ['1e999', {}, [], Number.NaN, 'is not a number'],
      ['constructor', { words: {} }, [], Number.NaN, 'is not a number'],
      ['21,5', {}, [], Number.NaN, 'has a comma: to read it as a decimal sign, use --decimal ,'],
      ['3\ufffd', {}, [], Number.NaN, 'is not valid text in this encoding'],
    ];
    for (const [text, column, missing, value, fault] of cases) {
      const cell = read(text, column, missing);
      expect(cell.value, text).to.satisfy((found: number) => Object.is(found, value));
      expect(cell.fault, text).to.equal(fault);
    }
    expect(read('21.5', {}, [], ',').fault).to.equal('is not a number with a decimal comma');
    expect(read('0.06s', { endings: ['s'] }).annotation).to.equal('s');
    expect(read('59 °F', { endings: ['°F'], unit: '°F' }).annotation).to.equal(undefined);
  });
});
