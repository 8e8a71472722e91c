import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { createLocalJWKSet, jwtVerify } from 'jose';
import jwt from 'jsonwebtoken';
import { FileKeyStore } from '#adapters/keys-file/file-key-store.js';
import { JwtTokenIssuer } from '#adapters/token-jwt/jwt-token-issuer.js';
import { JwtTokenVerifier } from '#adapters/token-jwt/jwt-token-verifier.js';
import { KeyRing } from '#adapters/token-jwt/key-ring.js';
import type { TokenGrant } from '#domain/accounts/access-token.js';
import { DomainError } from '#domain/domain-error.js';
import { FakeClock } from '../../application/fakes/fakes.js';
import { domainErrorOf } from '../../support/rejection.js';
import { CODE_POINT } from '../../support/code-point.js';

const VALID_FROM = Date.UTC(2026, 0, 31, 12) / 1000;

describe('tokens', () => {
  const grant: TokenGrant = {
    tokenId: 'token-1',
    subject: 'user-1',
    sessionId: 'session-1',
    level: 0,
    validFrom: VALID_FROM,
    validTo: VALID_FROM + 3600,
  };
  let folder: string;
  let file: string;
  let clock: FakeClock;
  let keys: KeyRing;
  let issuer: JwtTokenIssuer;
  let verifier: JwtTokenVerifier;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'weatherd-key-'));
    clock = new FakeClock();
    keys = new KeyRing(new FileKeyStore(folder), clock);
    await keys.createIfMissing();
    file = join(folder, (await readdir(folder))[0] ?? '');
    issuer = new JwtTokenIssuer(keys);
    verifier = new JwtTokenVerifier(keys, clock);
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** The private signing key, which an attacker does not have. */
  const privateKey = async () =>
    createPrivateKey((JSON.parse(await readFile(file, 'utf8')) as { privateKey: string }).privateKey);
  const kid = async () => (await keys.publicKeys())[0]?.kid ?? '';
  const refused = async (token: string) => {
    await domainErrorOf(verifier.verify(token), 'AUTH_TOKEN_INVALID');
  };

  it('are signed with ES256, hold what RFC 9068 asks for and our two claims', async () => {
    const decoded = jwt.decode(await issuer.issue(grant), { complete: true });
    expect(decoded?.header).to.deep.equal({ alg: 'ES256', typ: 'at+jwt', kid: await kid() });
    expect(decoded?.payload).to.deep.equal({
      iss: 'weatherd',
      aud: 'weatherd',
      sub: 'user-1',
      iat: grant.validFrom,
      nbf: grant.validFrom,
      exp: grant.validTo,
      jti: 'token-1',
      sid: 'session-1',
      token_level: 0,
    });
  });

  it('are verified by another library with the published keys alone', async () => {
    const token = await issuer.issue(grant);
    const published = createLocalJWKSet({ keys: [...(await keys.publicKeys())] });
    const options = {
      algorithms: ['ES256'],
      issuer: 'weatherd',
      audience: 'weatherd',
      typ: 'at+jwt',
      currentDate: new Date(clock.time),
    };
    const { payload } = await jwtVerify(token, published, options);
    expect(payload).to.include({ sub: 'user-1', sid: 'session-1', token_level: 0 });
    for (const key of await keys.publicKeys()) {
      expect(key).to.have.all.keys('kty', 'crv', 'x', 'y', 'kid', 'alg', 'use');
    }
  });

  it('are read back as they were granted, the first time and the next', async () => {
    for (const level of [0, 1] as const) {
      const token = await issuer.issue({ ...grant, level });
      expect(await verifier.verify(token)).to.deep.equal({ ...grant, level });
      expect(await verifier.verify(token)).to.deep.equal({ ...grant, level });
    }
  });

  it('are valid from their start, with five seconds for clocks that differ, to their end', async () => {
    const token = await issuer.issue(grant);
    for (const [seconds, holds] of [
      [-6, false],
      [-5, true],
      [3599.9, true],
      [3600, false],
    ] as const) {
      clock.time = (VALID_FROM + seconds) * 1000;
      if (holds) expect(await verifier.verify(token)).to.deep.equal(grant);
      else await refused(token);
      verifier = new JwtTokenVerifier(keys, clock);
    }
    clock.time = (VALID_FROM + 10) * 1000;
    await verifier.verify(token);
    clock.time = (VALID_FROM + 3600) * 1000;
    await refused(token);
  });

  it('are refused with any other header or other claims', async () => {
    const claims = jwt.decode(await issuer.issue(grant)) as jwt.JwtPayload;
    const signed = async (changes: object, header: object = {}) =>
      jwt.sign({ ...claims, ...changes }, await privateKey(), {
        algorithm: 'ES256',
        header: { alg: 'ES256', typ: 'at+jwt', kid: await kid(), ...header },
      });
    expect(await verifier.verify(await signed({}))).to.deep.equal(grant);
    for (const header of [
      { typ: 'JWT' },
      { typ: undefined },
      { kid: 'x' },
      { kid: undefined },
      { crit: ['exp'] },
      { jku: 'https://evil.example/keys' },
      { jwk: (await keys.publicKeys())[0] },
      { x5u: 'https://evil.example/' },
      { zip: 'DEF' },
    ]) {
      await refused(await signed({}, header));
    }
    for (const changes of [
      { iss: 'evil' },
      { aud: 'other' },
      { aud: ['weatherd', 'other'] },
      { sub: undefined },
      { sub: '' },
      { sub: 7 },
      { sid: undefined },
      { jti: undefined },
      { iat: undefined },
      { nbf: undefined },
      { exp: undefined },
      { exp: VALID_FROM + 3600.5 },
      { nbf: VALID_FROM + 60 },
      { iat: VALID_FROM + 60 },
      { exp: VALID_FROM - 60 },
      { token_level: undefined },
      { token_level: 2 },
      { token_level: '1' },
      { token_level: -1 },
    ]) {
      const token = await signed(changes).catch(() => undefined);
      if (token !== undefined) await refused(token);
    }
  });

  it('are written in one way: no key twice in a header or in claims, no space', async () => {
    const [head = '', claims = ''] = (await issuer.issue(grant))
      .split('.')
      .slice(0, 2)
      .map((part) => Buffer.from(part, 'base64url').toString());
    const key = await privateKey();
    const signed = (headText: string, claimsText: string) => {
      const text = [headText, claimsText].map((part) => Buffer.from(part).toString('base64url')).join('.');
      const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' });
      return `${text}.${signature.toString('base64url')}`;
    };
    expect(await verifier.verify(signed(head, claims))).to.deep.equal(grant);
    for (const [headText, claimsText] of [
      [head.replace('{', '{"typ":"JWT",'), claims],
      [head.replace('{', '{"alg":"none",'), claims],
      [head, claims.replace('{', '{"sub":"somebody else",')],
      [head, claims.replace('{', '{"token_level":1,')],
      [` ${head}`, claims],
      [head, `${claims} `],
    ] as const) {
      await refused(signed(headText, claimsText));
    }
  });

  it('of new keys are valid within a second; of retired keys they are invalid at once here and within a second elsewhere', async () => {
    const elsewhere = new KeyRing(new FileKeyStore(folder), clock);
    const other = new JwtTokenVerifier(elsewhere, clock);
    const old = await issuer.issue(grant);
    await other.verify(old);
    await keys.rotate(clock.time, clock.time + 1e9);
    const fresh = await issuer.issue(grant);
    expect(await verifier.verify(fresh)).to.deep.equal(grant);
    clock.up += 1000;
    expect(await other.verify(fresh)).to.deep.equal(grant);
    await keys.retire((jwt.decode(old, { complete: true })?.header.kid as string) ?? '');
    await refused(old);
    clock.up += 1000;
    await domainErrorOf(other.verify(old), 'AUTH_TOKEN_INVALID');
  });

  it('are refused after any change, always with the same error', async () => {
    const token = await issuer.issue(grant);
    await verifier.verify(token);
    const position = fc.nat(token.length - 1);
    const character = fc.string({ minLength: 1, maxLength: 2 });
    await fc.assert(
      fc.asyncProperty(position, fc.nat(3), character, async (at, removed, inserted) => {
        const changed = token.slice(0, at) + inserted + token.slice(at + removed);
        if (changed !== token) await refused(changed);
      }),
      { numRuns: 400 },
    );
    await fc.assert(fc.asyncProperty(fc.string({ unit: CODE_POINT, maxLength: 300 }), refused), {
      numRuns: 300,
    });
    await fc.assert(
      fc.asyncProperty(fc.json(), fc.json(), async (head, payload) => {
        const part = (text: string) => Buffer.from(text).toString('base64url');
        await refused(`${part(head)}.${part(payload)}.${token.split('.')[2]}`);
      }),
      { numRuns: 200 },
    );
  });

  describe('FileKeyStore and KeyRing', () => {
    it('store a key that only its owner can read', async () => {
      expect((await stat(file)).mode & 0o777).to.equal(0o600);
      expect((await readdir(folder)).length).to.equal(1);
    });

    it('cannot sign while the key is missing, damaged or of another kind, and sign again afterwards', async () => {
      const kept = await readFile(file, 'utf8');
      await rename(file, `${file}.away`);
      await domainErrorOf(issuer.check(), 'SIGNING_KEY_UNAVAILABLE');
      await domainErrorOf(issuer.issue(grant), 'SIGNING_KEY_UNAVAILABLE');
      const { privateKey: other } = generateKeyPairSync('ec', { namedCurve: 'P-384' });
      const strange = {
        ...(JSON.parse(kept) as object),
        privateKey: other.export({ type: 'pkcs8', format: 'pem' }),
      };
      for (const wrong of ['', kept.slice(0, 80), '{}', '[]', JSON.stringify(strange)]) {
        await writeFile(file, wrong);
        const error = await domainErrorOf(issuer.check(), 'SIGNING_KEY_UNAVAILABLE');
        expect(error.message).not.to.contain(folder);
        expect(JSON.stringify(error.cause, Object.getOwnPropertyNames(error.cause))).not.to.contain('BEGIN');
      }
      await rename(`${file}.away`, file);
      expect(await issuer.check()).to.equal(undefined);
      expect(await issuer.issue(grant)).to.be.a('string');
    });

    it('use every key if several instances create the first one at the same time', async () => {
      const empty = join(folder, 'empty');
      const rings = Array.from({ length: 8 }, () => new KeyRing(new FileKeyStore(empty), clock));
      await Promise.all(rings.map((ring) => ring.createIfMissing()));
      const issued = await Promise.all(rings.map((ring) => new JwtTokenIssuer(ring).issue(grant)));
      clock.up += 1000;
      const last = new JwtTokenVerifier(rings[0] as KeyRing, clock);
      for (const token of issued) expect(await last.verify(token)).to.deep.equal(grant);
      expect(await readdir(empty)).to.satisfy((names: string[]) =>
        names.every((name) => name.endsWith('.json')),
      );
    });

    it('ignore a damaged key while another key signs, and report it', async () => {
      const other = join(folder, `${'a'.repeat(43)}.json`);
      const { privateKey: strange } = generateKeyPairSync('ec', { namedCurve: 'P-384' });
      const kept = JSON.parse(await readFile(file, 'utf8')) as object;
      const wrongCurve = {
        ...kept,
        id: 'a'.repeat(43),
        privateKey: strange.export({ type: 'pkcs8', format: 'pem' }),
      };
      for (const wrong of ['', '{"privateKey": "BEGIN', '[]', JSON.stringify(wrongCurve)]) {
        await writeFile(other, wrong);
        const said = await keys.check();
        expect(said).to.contain('a'.repeat(43)).and.not.contain('BEGIN').and.not.contain(folder);
        const token = await issuer.issue(grant);
        expect(await verifier.verify(token)).to.deep.equal(grant);
      }
      await rm(other);
      await mkdir(other); // A folder cannot be read as a file.
      expect(await keys.check()).to.contain('EISDIR');
      await rm(other, { recursive: true });
      expect(await keys.check()).to.equal(undefined);
    });

    it('create no key beside a damaged one, however often the service starts', async () => {
      await writeFile(file, 'damaged');
      for (let start = 0; start < 3; start += 1) {
        const ring = new KeyRing(new FileKeyStore(folder), clock);
        await ring.createIfMissing();
        const error = await domainErrorOf(ring.check(), 'SIGNING_KEY_UNAVAILABLE');
        expect((error.cause as Error).message).to.contain(basename(file));
      }
      expect(await readdir(folder)).to.have.length(1);
      const ring = new KeyRing(new FileKeyStore(folder), clock);
      await ring.rotate(clock.time, clock.time);
      expect(await ring.check()).to.contain(basename(file));
    });

    it('create no key if the keys cannot be listed', async () => {
      const store = new FileKeyStore(folder);
      store.list = () => Promise.reject(new DomainError('SIGNING_KEY_UNAVAILABLE', 'no answer'));
      await domainErrorOf(new KeyRing(store, clock).createIfMissing(), 'SIGNING_KEY_UNAVAILABLE');
      expect(await readdir(folder)).to.have.length(1);
    });

    it('report where the key cannot be created', async () => {
      await writeFile(join(folder, 'file'), '');
      const ring = new KeyRing(new FileKeyStore(join(folder, 'file', 'keys')), clock);
      const error = await domainErrorOf(ring.createIfMissing(), 'SIGNING_KEY_UNAVAILABLE');
      expect((error.cause as Error).message).to.contain('ENOTDIR');
    });
  });
});
