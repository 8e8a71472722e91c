import { expect } from 'chai';
import { rowsFrom } from '#adapters/store/run-operation.js';
import { type Fragment, integer, sqlList, type Part, sql, text, sqlValues } from '#adapters/store/sql.js';
import { StatementTexts } from '#adapters/store/statement-texts.js';
import { Sqlite } from '#adapters/store-sqlite/database/driver.js';
import { runOn } from '#adapters/store-sqlite/database/statements.js';

const both = (piece: string): Fragment => ({ sqlite: piece, postgres: piece });
/** One template, whose parts vary. */
const statementOf = (first: Part, second: Part) => sql`SELECT ${first} mid ${second} FROM weatherd.alarm`;

describe('StatementTexts', () => {
  it('have each text that what is nested in a template makes, once', () => {
    const nested = (name: string) => sql`nested ${name}`;
    const other = (name: string) => sql`other ${name}`;
    const parts: readonly (readonly [first: Part, second: Part, text: string, values: readonly unknown[]])[] =
      [
        ['a', 1, 'SELECT $1 mid $2 FROM weatherd.alarm', ['a', 1]],
        ['b', null, 'SELECT $1 mid $2 FROM weatherd.alarm', ['b', null]],
        [text('a'), 1, 'SELECT $1::text mid $2 FROM weatherd.alarm', ['a', 1]],
        [integer(1), 1, 'SELECT $1::integer mid $2 FROM weatherd.alarm', [1, 1]],
        [both('a'), 1, 'SELECT a mid $1 FROM weatherd.alarm', [1]],
        [both('text'), 1, 'SELECT text mid $1 FROM weatherd.alarm', [1]],
        [both('b'), 1, 'SELECT b mid $1 FROM weatherd.alarm', [1]],
        [1, both('b'), 'SELECT $1 mid b FROM weatherd.alarm', [1]],
        [nested('x'), 1, 'SELECT nested $1 mid $2 FROM weatherd.alarm', ['x', 1]],
        [other('x'), 1, 'SELECT other $1 mid $2 FROM weatherd.alarm', ['x', 1]],
        [[], [1, 2], 'SELECT  mid $1$2 FROM weatherd.alarm', [1, 2]],
        [[1], [2], 'SELECT $1 mid $2 FROM weatherd.alarm', [1, 2]],
        [[1, 2], [], 'SELECT $1$2 mid  FROM weatherd.alarm', [1, 2]],
        [[both('a'), 1], both('b'), 'SELECT a$1 mid b FROM weatherd.alarm', [1]],
        [[both('a')], [1, both('b')], 'SELECT a mid $1b FROM weatherd.alarm', [1]],
        [sqlList([]), 0, 'SELECT $1 mid $2 FROM weatherd.alarm', [null, 0]],
        [sqlList([1, 2, 3]), 0, 'SELECT $1, $2, $3 mid $4 FROM weatherd.alarm', [1, 2, 3, 0]],
      ];
    const made: string[] = [];
    const texts = new StatementTexts('postgres', (one) => {
      made.push(one);
      return one;
    });
    for (const round of [1, 2])
      for (const [first, second, expected, values] of parts)
        expect(texts.of(statementOf(first, second)), `${expected} ${round}`).to.deep.equal([
          expected,
          values,
        ]);
    // The second has the text of the first.
    expect(made).to.have.length(parts.length - 1);
  });

  it('refuse a template with a text for each value', () => {
    const texts = new StatementTexts('sqlite', (one) => one);
    const named = (name: number) => texts.of(sql`SELECT 1 FROM t WHERE name = ${both(`'${name}'`)}`);
    expect(() => {
      for (let name = 0; name <= 100; name += 1) named(name);
    }).to.throw('the SQL template "SELECT 1 FROM t WHERE name = …" has more than 100 different texts');
    expect(named(7)[0]).to.equal("SELECT 1 FROM t WHERE name = '7'");
  });

  it('are those that run in SQLite, where a part of a statement varies', () => {
    const database = new Sqlite(':memory:');
    const values = sqlValues('number', 'integer');
    const read = (condition: Part) =>
      runOn(
        database,
        rowsFrom<{ number: number }>(
          sql`SELECT number FROM ${values([1, 2, 3, 4])} WHERE ${condition} ORDER BY 1`,
        ),
      ).map(({ number }) => number);
    expect(read(sql`number > ${2}`)).to.deep.equal([3, 4]);
    expect(read(sql`number < ${2}`)).to.deep.equal([1]);
    expect(read(sql`number > ${3}`)).to.deep.equal([4]);
    expect(read(both('true'))).to.deep.equal([1, 2, 3, 4]);
    expect(read(sql`number IN (${sqlList([1, 4])})`)).to.deep.equal([1, 4]);
    expect(read(sql`number IN (${sqlList([1, 2, 4])})`)).to.deep.equal([1, 2, 4]);
    database.close();
  });
});
