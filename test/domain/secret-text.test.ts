import { expect } from 'chai';
import fc from 'fast-check';
import { readSecret, secretText } from '#domain/secret-text.js';

describe('random secrets as text', () => {
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
});
