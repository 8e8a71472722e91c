import { expect } from 'chai';
import fc from 'fast-check';
import { isVerifying, type KeyLife, signerAt } from '#domain/accounts/signing-key.js';

const key = (changes: Partial<KeyLife>): KeyLife => ({
  id: 'a',
  createdAt: 0,
  signsFrom: 0,
  verifiesUntil: null,
  retiredAt: null,
  ...changes,
});

describe('a signing key', () => {
  it('verifies until the last token that it signed expires, and not once it is retired', () => {
    expect(isVerifying(key({}), 10)).to.equal(true);
    expect(isVerifying(key({ verifiesUntil: 11 }), 10)).to.equal(true);
    expect(isVerifying(key({ verifiesUntil: 10 }), 10)).to.equal(false);
    expect(isVerifying(key({ retiredAt: 20 }), 10)).to.equal(false);
    expect(isVerifying(key({ retiredAt: 0, verifiesUntil: 20 }), 10)).to.equal(false);
  });

  it('signs if it is the newest that may, the same one whatever the order of the keys', () => {
    const [old, present, next] = [
      key({ id: 'x', signsFrom: 1 }),
      key({ id: 'b', signsFrom: 5 }),
      key({ id: 'c', signsFrom: 9 }),
    ];
    const signers = [0, 1, 4, 5, 8, 9].map((now) => signerAt([next, old, present], now)?.id);
    // At 0 all of them begin in the future: the earliest.
    expect(signers).to.deep.equal(['x', 'x', 'x', 'b', 'b', 'c']);
    expect(signerAt([], 5)).to.equal(undefined);
    expect(signerAt([key({ retiredAt: 1 })], 5)).to.equal(undefined);
    expect(signerAt([old, key({ id: 'd', signsFrom: 5, verifiesUntil: 5 })], 5)).to.equal(old);
    const keys = fc.uniqueArray(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.nat(3)), {
      selector: ([id]) => id,
    });
    fc.assert(
      fc.property(keys, fc.nat(4), (all, now) => {
        const list = all.map(([id, signsFrom]) => key({ id, signsFrom }));
        const due = list.filter(({ signsFrom }) => signsFrom <= now);
        const inOrder = (due.length > 0 ? due : list).toSorted(
          (a, b) => a.signsFrom - b.signsFrom || (a.id < b.id ? -1 : 1),
        );
        expect(signerAt(list, now)).to.equal(due.length > 0 ? inOrder.at(-1) : inOrder[0]);
      }),
    );
  });
});
