import { expect } from 'chai';
import fc from 'fast-check';
import { chosenFields, type Choice, differencesOf } from '#adapters/site/client/admin/conflict-model.js';

const values = fc.oneof(
  fc.integer({ min: 0, max: 2 }),
  fc.constant(null),
  fc.constant({ a: 1 }),
  fc.constant(['x']),
);
const fields = fc.record({ a: values, b: values, c: values });

describe('conflicts of a form', () => {
  it('proposes the change of each field if only one of two people has changed it', () => {
    const property = fc.property(fields, fields, fields, (base, theirs, mine) => {
      const same = (x: unknown, y: unknown) => JSON.stringify(x) === JSON.stringify(y);
      const differences = differencesOf(base, theirs, mine);
      for (const name of ['a', 'b', 'c'] as const) {
        const found = differences.find(({ field }) => field === name);
        if (same(mine[name], theirs[name])) expect(found).to.equal(undefined);
        else if (same(mine[name], base[name])) expect(found?.proposed).to.equal('theirs');
        else expect(found).to.include({ proposed: 'mine', mine: mine[name], theirs: theirs[name] });
      }
      const choices = Object.fromEntries(differences.map(({ field, proposed }) => [field, proposed]));
      const merged = chosenFields(mine, theirs, choices);
      for (const name of ['a', 'b', 'c'] as const)
        if (same(theirs[name], base[name])) expect(merged[name]).to.deep.equal(mine[name]);
    });
    fc.assert(property);
  });

  it('saves the chosen values, and what the other person cannot see', () => {
    const choices: Record<string, Choice> = { a: 'theirs', b: 'mine' };
    const mine = { a: 1, b: 1, password: 'new' };
    expect(differencesOf({ a: 0, b: 0 }, { a: 2, b: 2 }, mine).map(({ field }) => field)).to.deep.equal([
      'a',
      'b',
    ]);
    expect(chosenFields(mine, { a: 2, b: 2, name: 'x' }, { ...choices, name: 'theirs' })).to.deep.equal({
      a: 2,
      b: 1,
      password: 'new',
    });
  });

  it('ignores the order of the fields of a value', () => {
    expect(
      differencesOf({}, { limits: { a: 1, b: { x: 1, y: 2 } } }, { limits: { b: { y: 2, x: 1 }, a: 1 } }),
    ).to.deep.equal([]);
  });
});
