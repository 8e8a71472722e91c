import { expect } from 'chai';
import { z } from 'zod';
import { parseWith } from '#adapters/http/core/validate.js';

const columns = { time: z.array(z.string()), air_temperature: z.array(z.number()).optional() };
const body = z.union([
  z.strictObject(columns),
  z.strictObject({ observations: z.strictObject(columns), rows: z.array(z.strictObject({})).optional() }),
]);

/** The message with which a body is refused. */
function refusalOf(value: unknown, schema: z.ZodType = body, part = 'body'): string {
  try {
    parseWith(schema, value, part);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('The body was accepted.');
}

describe('the message for an unknown field', () => {
  it('lists the known fields of its object, also inside of another object', () => {
    const fields = { time: [], air_temprature: [4] };
    const hint = 'The known fields are time, air_temperature. Did you mean "air_temperature"?';
    expect(refusalOf(fields)).to.equal(`body: Unrecognized key: "air_temprature". ${hint}`);
    expect(refusalOf({ observations: fields })).to.equal(
      `body.observations: Unrecognized key: "air_temprature". ${hint}`,
    );
  });

  it('lists nothing where the object may have several forms', () => {
    expect(refusalOf({ observations: { time: [] }, rows: [{ x: 1 }] })).to.equal(
      'body.rows.0: Unrecognized key: "x"',
    );
  });
});

describe('the message for a missing value', () => {
  const query = z.strictObject({
    bbox: z.string(),
    count: z.coerce.number(),
    by: z.enum(['hour', 'day']),
    form: z.union([z.string(), z.number()]),
    own: z.string('Give your own.'),
    pair: z
      .string()
      .transform((text) => text.split(','))
      .pipe(z.tuple([z.string(), z.string()])),
  });
  const complete = { bbox: '1', count: '1', by: 'day', form: 'a', own: 'o', pair: 'a,b' };

  for (const [name, text] of [
    ['bbox', 'This parameter is required.'],
    ['count', 'This parameter is required.'],
    ['by', 'This parameter is required. Use "hour" or "day".'],
    ['form', 'This parameter is required.'],
    ['own', 'Give your own.'],
    ['pair', 'This parameter is required.'],
  ] as const)
    it(`says that the parameter ${name} is required`, () => {
      expect(refusalOf({ ...complete, [name]: undefined }, query, 'query')).to.equal(
        `query.${name}: ${text}`,
      );
    });

  it('says so of fields too, and only if they are missing', () => {
    expect(refusalOf({ air_temperature: [4] })).to.equal('body.time: This field is required.');
    expect(refusalOf({ time: null })).to.equal('body.time: Must be an array');
    expect(refusalOf({ ...complete, pair: '' }, query, 'query')).to.contain('query.pair');
    expect(refusalOf({ ...complete, pair: '' }, query, 'query')).not.to.contain('required');
  });
});

describe('the message for a value that breaks a rule', () => {
  const list = z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(['a', 'b'])));

  it('names the parameter without the index in its list, and says the same fault once', () => {
    expect(refusalOf({ include: 'x,y' }, z.strictObject({ include: list }), 'query')).to.equal(
      'query.include: Must be "a" or "b"',
    );
  });

  it('has no full stop before a semicolon', () => {
    const place = z.strictObject({
      id: z.string(),
      latitude: z.number(),
      name: z.string().min(1, 'Give a name.'),
    });
    expect(refusalOf({ name: '' }, place)).to.equal(
      'body.id: This field is required; body.latitude: This field is required; body.name: Give a name.',
    );
  });
});
