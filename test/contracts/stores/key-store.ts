import { expect } from 'chai';
import type { KeyStore, StoredKey } from '#application/ports/key-store.js';

const KEY: StoredKey = {
  id: 'a'.repeat(43),
  createdAt: 1_770_000_000_123,
  signsFrom: 1_770_000_600_123,
  verifiesUntil: null,
  retiredAt: null,
  privateKey: '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n',
};
const OTHER: StoredKey = { ...KEY, id: 'b'.repeat(43), verifiesUntil: 1_780_000_000_000 };

/** The rules for every KeyStore. */
export function keyStoreContract(opened: () => KeyStore): void {
  let store: KeyStore;
  beforeEach(() => (store = opened()));

  const stored = async () => (await store.list()).toSorted((a, b) => (a.id < b.id ? -1 : 1));

  it('gives back what was added', async () => {
    expect(await store.list()).to.deep.equal([]);
    await store.add(OTHER);
    await store.add(KEY);
    expect(await stored()).to.deep.equal([KEY, OTHER]);
  });

  it('sets until when a key verifies', async () => {
    await store.add(KEY);
    await store.add(OTHER);
    await store.setVerifiesUntil(KEY.id, 7);
    expect(await stored()).to.deep.equal([{ ...KEY, verifiesUntil: 7 }, OTHER]);
  });

  it('retires a key and destroys its private part', async () => {
    await store.add(KEY);
    await store.add(OTHER);
    await store.retire(KEY.id, 9);
    expect(await stored()).to.deep.equal([{ ...KEY, retiredAt: 9, privateKey: null }, OTHER]);
  });

  it('does nothing if there is no such key', async () => {
    await store.setVerifiesUntil(KEY.id, 7);
    await store.retire('../../etc/passwd', 7);
    expect(await store.list()).to.deep.equal([]);
  });
}
