import { expect } from 'chai';
import { z } from 'zod';
import { parseWith } from '#adapters/http/core/validate.js';

const columns = { time: z.array(z.string()), air_temperature: z.array(z.number()).optional() };
const body = z.union([
  z.strictObject(columns),
  z.strictObject({ observations: z.strictObject(columns), rows: z.array(z.strictObject({})).optional() }),
]);

/** The message with which a body is refused. */
function refusalOf(value: object): string {
  try {
    parseWith(body, value, 'body');
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
