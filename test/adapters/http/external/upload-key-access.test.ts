import { expect } from 'chai';
import { ProtocolError } from '#adapters/http/core/errors.js';
import { uploadKeyAccess } from '#adapters/http/external/upload-key-access.js';
import type { AuthorizeUploadKey } from '#application/uploads/keys/authorize-upload-key.js';

const SECRET = '0123456789abcdefghjkmnpqrs';

describe('upload keys as bearer tokens', () => {
  it('are told from tokens of users by their form', () => {
    const access = uploadKeyAccess({} as AuthorizeUploadKey);
    for (const [token, expected] of [
      [SECRET, true],
      [SECRET.toUpperCase(), true],
      ['01234-56789-abcde-fghjk-mnpqrs', true],
      [`${SECRET}0`, false],
      [SECRET.slice(1), false],
      [SECRET.replace('s', 'u'), false],
      ['eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl', false],
    ] as const)
      expect(access.isKey(token), token).to.equal(expected);
  });

  it('have a limit of requests in a minute, each key its own, and refused ones do not count', async () => {
    const authorize = {
      execute: async (token: string, station: string) => {
        if (station === 'other') throw new Error('another station');
        return { number: Number(token), actor: `upload key ${token}`, station };
      },
    } as unknown as AuthorizeUploadKey;
    const access = uploadKeyAccess(authorize);
    const ask = (token: string, station: string) =>
      access.authorize(token, station).then(
        ({ actor }) => actor,
        (error: unknown) => (error instanceof ProtocolError ? error.code : 'refused'),
      );
    for (let request = 0; request < 60; request += 1) {
      expect(await ask('1', 'other')).to.equal('refused');
      expect(await ask('1', 'garden')).to.equal('upload key 1');
    }
    expect([await ask('1', 'garden'), await ask('2', 'garden')]).to.deep.equal([
      'RATE_LIMITED',
      'upload key 2',
    ]);
  });
});
