import fc from 'fast-check';

/** The range of code points that are half of a surrogate pair, which are no character. */
const [FIRST_SURROGATE, SURROGATES] = [0xd800, 0x800];

/**
 * Any code point except surrogates, for `fc.string({ unit: CODE_POINT })`. It is the unit `binary` of fast-check, which takes a
 * second to list all code points.
 */
export const CODE_POINT: fc.Arbitrary<string> = fc.integer({ min: 0, max: 0x10_ff_ff - SURROGATES }).map(
  (index) => String.fromCodePoint(index < FIRST_SURROGATE ? index : index + SURROGATES),
  (text) => {
    const code = typeof text === 'string' ? text.codePointAt(0) : undefined;
    if (code === undefined || text !== String.fromCodePoint(code)) throw new Error('This is no code point.');
    return code < FIRST_SURROGATE ? code : code - SURROGATES;
  },
);
