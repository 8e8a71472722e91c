import { expect } from 'chai';
import fc from 'fast-check';
import {
  acceptNote,
  acceptSettings,
  DEFAULT_SETTINGS,
  isGuessable,
  readSecret,
  secretText,
} from '#domain/uploads/upload-key.js';

describe('secrets of upload keys', () => {
  it('are 26 characters of Base32, and are read as people type them', () => {
    expect(secretText(new Uint8Array(16))).to.equal('0'.repeat(26));
    expect(secretText(new Uint8Array(16).fill(255))).to.equal(`7${'z'.repeat(25)}`);
    expect(secretText(Uint8Array.from({ length: 16 }, (_, index) => (index === 15 ? 33 : 0)))).to.equal(
      `${'0'.repeat(24)}11`,
    );
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
        const secret = secretText(bytes);
        const number = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
        const digits = Array.from(secret).map((digit) =>
          BigInt('0123456789abcdefghjkmnpqrstvwxyz'.indexOf(digit)),
        );
        expect(digits.reduce((sum, digit) => sum * 32n + digit, 0n)).to.equal(number);
        const typed = secret.toUpperCase().replaceAll('0', 'o').replaceAll('1', 'L');
        expect(readSecret(` ${typed.slice(0, 5)}-${typed.slice(5)} `)).to.equal(secret);
      }),
    );
    const [ones, i] = ['1'.repeat(26), 'i'.repeat(26)];
    expect(readSecret(i)).to.equal(ones);
    expect(readSecret(`${ones}${' '.repeat(38)}`)).to.equal(ones);
    for (const wrong of [ones.slice(1), `${ones}1`, 'u'.repeat(26), `${ones}${' '.repeat(39)}`, ''])
      expect(readSecret(wrong), wrong).to.equal(undefined);
  });

  it('can be guessed if somebody has chosen them', () => {
    const secret = '1'.repeat(26);
    const found = [{}, { password: 'summer' }, { password: secret }, { key: 'x' }, { identity: 'x' }].map(
      isGuessable,
    );
    expect(found).to.deep.equal([true, true, false, false, true]);
  });

  it('have a note and settings', () => {
    expect(acceptNote(` ${'x'.repeat(198)} `)).to.have.length(198);
    for (const note of ['x'.repeat(201), 'a\u0000', 'a\ud800'])
      expect(() => acceptNote(note)).to.throw('A note has');
    expect(acceptSettings({})).to.deep.equal(DEFAULT_SETTINGS);
    const all = { windUnit: 'm/s', gauge: 'piezo', rain: false } as const;
    expect(acceptSettings(all)).to.deep.equal(all);
    expect(acceptSettings({ rain: true }, all)).to.deep.equal({ ...all, rain: true });
    expect(acceptSettings({ gauge: null, windUnit: 'km/h' }, all)).to.deep.equal({
      ...all,
      gauge: null,
      windUnit: 'km/h',
    });
    expect(() => acceptSettings({ windUnit: 'mph' as never })).to.throw('The unit of wind speeds');
    expect(() => acceptSettings({ gauge: 'odd' as never })).to.throw('A gauge is one of');
  });
});
