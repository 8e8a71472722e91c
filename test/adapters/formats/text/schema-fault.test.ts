import { expect } from 'chai';
import { z } from 'zod';
import { schemaFault } from '#adapters/formats/text/schema-fault.js';
import { parseWith } from '#adapters/http/core/validate.js';
import { SETTING_TABLE } from '#composition/settings/settings.js';
import { makeServiceUnderTest } from '../../../support/service-endpoints.js';

/** Words and signs of the messages of zod. */
const OF_ZOD =
  /expected (?:string|number|int|one of|array|object|boolean)\b|, received |[<>]=|to (?:be|have) [<>\d]|Invalid |Too (?:small|big)|"\|"/;

const messagesOf = (schema: z.ZodType, value: unknown): string[] =>
  schema.safeParse(value, { error: schemaFault }).error?.issues.map(({ message }) => message) ?? [];

/** Texts that most schemas refuse. */
const ODD_TEXTS = ['', ' ', 'x', '-1', '0', '1.5', '1e99', 'a,b', ',', '2024-02-30', '9'.repeat(20)];

describe('messages for values that break the rule of a schema', () => {
  for (const [title, schema, value, message] of [
    ['a type', z.string(), 3, 'Must be a string'],
    ['a whole number', z.int(), 1.5, 'Must be a whole number'],
    ['a rare type', z.symbol(), 3, 'Must be of the type symbol'],
    ['one choice', z.literal('a'), 'b', 'Must be "a"'],
    ['choices', z.enum(['a', 'b', 'c']), 'x', 'Must be "a", "b" or "c"'],
    ['choices of numbers', z.literal([1, null]), 'x', 'Must be 1 or null'],
    ['an empty text', z.string().min(1), '', 'Must not be empty'],
    ['a short text', z.string().min(2), 'a', 'Must have at least 2 characters'],
    ['a text of one length', z.string().length(1), '', 'Must have exactly 1 character'],
    ['a long text', z.string().max(1), 'ab', 'Must have at most 1 character'],
    ['a short list', z.array(z.any()).min(2), [], 'Must have at least 2 elements'],
    ['a long list', z.array(z.any()).length(2), [1, 2, 3], 'Must have exactly 2 elements'],
    ['a small number', z.number().min(1), 0, 'Must be at least 1'],
    ['a number at an open end', z.number().gt(1), 1, 'Must be greater than 1'],
    ['a large number', z.number().max(1), 2, 'Must be at most 1'],
    ['a number at the other open end', z.number().lt(1), 1, 'Must be less than 1'],
    ['a multiple', z.number().multipleOf(5), 3, 'Must be a multiple of 5'],
    ['a pattern', z.string().regex(/^x$/), 'y', 'Must match the pattern /^x$/'],
    ['a time', z.iso.datetime(), 'now', 'Must be a time such as 2024-02-29T12:00:00Z'],
    ['a rare format', z.string().startsWith('a'), 'b', 'Must be of the format starts_with'],
    ['an unknown key', z.strictObject({}), { a: 1 }, 'Unrecognized key: "a"'],
    ['unknown keys', z.strictObject({}), { a: 1, b: 2 }, 'Unrecognized keys: "a", "b"'],
    [
      'a name',
      z.record(z.string().max(1), z.any()),
      { ab: 1 },
      'Has a name that is not allowed: Must have at most 1 character',
    ],
    [
      'an element of a map',
      z.map(z.any(), z.string()),
      new Map([[{}, 1]]),
      'Has an element that is not allowed: Must be a string',
    ],
    [
      'several types',
      z.union([z.string(), z.number(), z.null()]),
      true,
      'Must be a string, a number or null',
    ],
    [
      'several objects',
      z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]),
      {},
      'Has none of the accepted forms',
    ],
    ['a check without a message', z.any().refine(() => false), 1, 'Is not valid'],
  ] as const)
    it(`say the rule for ${title}`, () => {
      expect(messagesOf(schema, value)).to.deep.equal([message]);
    });

  it('keep the message of a schema', () => {
    expect(messagesOf(z.string('Give a name.'), 3)).to.deep.equal(['Give a name.']);
  });

  it('have no words of zod for any parameter and any body of the API', async () => {
    const { endpoints } = await makeServiceUnderTest();
    const texts = [...ODD_TEXTS, 'x'.repeat(300)];
    const values = [
      ...texts,
      null,
      true,
      -1,
      1.5,
      1e99,
      [],
      [null],
      ['x'],
      [{}],
      {},
      { x: 1 },
      { kind: 'x' },
    ];
    const messages = new Map<string, string>();
    const refuse = (schema: z.ZodType, value: unknown, part: string, path: string) => {
      try {
        parseWith(schema, value, part);
      } catch (error) {
        messages.set((error as Error).message, path);
      }
    };
    for (const { path, params, query, body } of [...endpoints.external, ...endpoints.internal]) {
      for (const [part, schema] of [
        ['path', params],
        ['query', query],
      ] as const)
        for (const name of Object.keys(schema?.shape ?? {}))
          for (const text of texts) refuse(schema as z.ZodType, { [name]: text }, part, path);
      const sent = body !== undefined && 'schema' in body ? (body.schema as z.ZodType) : undefined;
      if (sent === undefined) continue;
      for (const value of values) refuse(sent, value, 'body', path);
      const forms = sent instanceof z.ZodUnion ? (sent.options as readonly z.ZodType[]) : [sent];
      for (const form of forms)
        for (const name of Object.keys(form instanceof z.ZodObject ? form.shape : {}))
          for (const value of values) refuse(sent, { [name]: value }, 'body', path);
    }
    expect(messages.size).to.be.greaterThan(100);
    expect([...messages].filter(([message]) => OF_ZOD.test(message))).to.deep.equal([]);
  });

  it('have no words of zod for any setting', () => {
    const texts = [...ODD_TEXTS, '0s', '9999d', '5m', '9'.repeat(9)];
    const messages = Object.values(SETTING_TABLE).flatMap(({ schema }) =>
      texts.flatMap((text) => messagesOf(schema, text)),
    );
    expect(messages).to.have.length.greaterThan(100);
    expect(messages.filter((message) => OF_ZOD.test(message))).to.deep.equal([]);
  });
});
