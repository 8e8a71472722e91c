import { expect } from 'chai';
import { z } from 'zod';
import { parseFields } from '#adapters/http/core/request/sent-fields.js';

describe('the fields of a query', () => {
  const read: string[] = [];
  const text = (schema = z.string()) =>
    schema.refine((value) => {
      read.push(value);
      return true;
    });
  const schema = z.strictObject({
    usual: text().optional(),
    short: text(z.string().max(8)).default('x'),
    long: text(z.string().min(1).max(500))
      .transform((value) => value.length)
      .optional(),
  });
  const faultOf = (fields: Record<string, string>) => {
    read.length = 0;
    try {
      parseFields(schema, fields, 'query');
    } catch (error) {
      expect(read, 'no schema has seen it').to.deep.equal([]);
      return (error as Error).message;
    }
    return undefined;
  };

  for (const [name, longest] of [
    ['usual', 64],
    ['short', 8],
    ['long', 500],
  ] as const) {
    it(`have at most the characters of their schema, or 64: ${name}`, () => {
      expect(faultOf({ [name]: 'a'.repeat(longest) })).to.equal(undefined);
      expect(faultOf({ [name]: 'a'.repeat(longest + 1) })).to.equal(
        `query.${name}: Must have at most ${longest} characters`,
      );
    });
  }

  it('are refused without repeating a long name', () => {
    expect(faultOf({ ['a'.repeat(65)]: '' })).to.equal(
      'query: the name of a field: Must have at most 64 characters',
    );
  });
});
