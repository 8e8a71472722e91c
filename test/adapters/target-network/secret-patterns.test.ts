import { expect } from 'chai';
import fc from 'fast-check';
import { MASK, SecretPatterns } from '#adapters/http-client/secret-patterns.js';

const hex = (code: number, digits: number) => code.toString(16).padStart(digits, '0');
const percent = (text: string) => [...Buffer.from(text)].map((byte) => `%${hex(byte, 2)}`).join('');
const units = (text: string) => Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));

/** The ways in which servers and this service write one character. */
const ENCODINGS: readonly ((character: string) => string)[] = [
  (character) => character,
  encodeURIComponent,
  (character) => new URLSearchParams([['a', character]]).toString().slice(2),
  (character) => new URL(`http://host/?${character}`).search.slice(1) || character,
  percent,
  (character) => percent(character).toUpperCase(),
  (character) => encodeURIComponent(percent(character)),
  (character) => JSON.stringify(character).slice(1, -1),
  (character) => (character === '/' ? '\\/' : character),
  (character) => units(character).map((unit) => `\\u${hex(unit, 4)}`).join(''), // oxfmt-ignore
  (character) => `&#${character.codePointAt(0)};`,
  (character) => `&#x${hex(character.codePointAt(0) ?? 0, 2)};`,
  (character) => HTML[character] ?? character,
  (character) => (HTML[character] ?? character).replaceAll('&', '&amp;'),
];
const HTML: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const character = fc.oneof(
  fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
  fc.constantFrom(...Array.from(`%&+<>"'\\/?# äß€😀`)),
);
const secretText = fc
  .array(character, { minLength: 6, maxLength: 24 })
  .map((parts) => parts.join('').trim())
  .filter((text) => Array.from(text).length >= 6);

describe('Masks of secrets', () => {
  it('cover a secret whose characters are each written in any encoding', () => {
    fc.assert(
      fc.property(
        secretText,
        fc.array(fc.nat(ENCODINGS.length - 1), { minLength: 24, maxLength: 24 }),
        (secret, chosen) => {
          const patterns = new SecretPatterns();
          patterns.hide(secret);
          const written = Array.from(secret, (one, at) =>
            (ENCODINGS[chosen[at] ?? 0] as (text: string) => string)(one),
          ).join('');
          expect(patterns.text(`(${written})`)).to.equal(`(${MASK})`);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('cover a secret in base64, together with any other bytes', () => {
    const bytes = fc.uint8Array({ maxLength: 12 });
    const encoding = fc.constantFrom<BufferEncoding[]>('base64', 'base64url');
    fc.assert(
      fc.property(secretText, bytes, bytes, encoding, (secret, before, after, name) => {
        const patterns = new SecretPatterns();
        patterns.hide(secret);
        const text = Buffer.concat([before, Buffer.from(secret), after]).toString(name);
        const shown = patterns.text(text);
        expect(shown).to.contain(MASK);
        // What is left of the text has at most the bytes around the secret.
        const [head = '', tail = ''] = shown.split(MASK);
        expect(head.length * 6).to.be.at.most(before.length * 8 + 5);
        expect(tail.replaceAll('=', '').length * 6).to.be.at.most(after.length * 8 + 5);
      }),
      { numRuns: 1000 },
    );
  });

  it('cover a secret in hexadecimal digits, together with any other bytes', () => {
    const bytes = fc.uint8Array({ maxLength: 12 });
    fc.assert(
      fc.property(secretText, bytes, bytes, fc.boolean(), (secret, before, after, isUpper) => {
        const patterns = new SecretPatterns();
        patterns.hide(secret);
        const digits = Buffer.concat([before, Buffer.from(secret), after]).toString('hex');
        const shown = patterns.text(isUpper ? digits.toUpperCase() : digits);
        expect(shown).to.contain(MASK);
        const [head = '', tail = ''] = shown.split(MASK);
        expect(head.length).to.be.at.most(before.length * 2);
        expect(tail.length).to.be.at.most(after.length * 2);
      }),
    );
  });

  it('cover the longest of several secrets, and all places', () => {
    const patterns = new SecretPatterns();
    for (const secret of ['hunter', 'hunter22', '']) patterns.hide(secret);
    expect(patterns.text('a hunter22 b hunter c hunter22')).to.equal(`a ${MASK} b ${MASK} c ${MASK}`);
  });

  it('cover the path and the query of an address in their place, and long ones everywhere', () => {
    const patterns = new SecretPatterns();
    patterns.hideAddress(new URL('https://example.org/hook/?key=a-long-token'));
    expect(patterns.text('POST https://example.org/hook/?key=a-long-token {"hook":1}')).to.equal(
      `POST https://example.org/${MASK}/?${MASK} {"hook":1}`,
    );
    expect(patterns.text('for key=a-long-token')).to.equal(`for ${MASK}`);
    const none = new SecretPatterns();
    none.hideAddress(new URL('https://example.org/'));
    expect(none.text('https://example.org/')).to.equal('https://example.org/');
  });

  it('leave other texts as they are', () => {
    const patterns = new SecretPatterns();
    expect(patterns.text('')).to.equal('');
    expect(patterns.text('nothing is hidden')).to.equal('nothing is hidden');
    patterns.hide('hunter22');
    expect(patterns.text('hunter2 hunter 22')).to.equal('hunter2 hunter 22');
  });

  it('take a time that grows with the length of the text', () => {
    const patterns = new SecretPatterns();
    patterns.hide('a'.repeat(1000));
    expect(patterns.text('a'.repeat(999))).to.equal('a'.repeat(999));
    expect(patterns.text(`${'a'.repeat(1000)}b`)).to.equal(`${MASK}b`);
  });
});
