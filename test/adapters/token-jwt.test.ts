import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import jwt from 'jsonwebtoken';
import { JwtTokenIssuer } from '../../src/adapters/token-jwt/jwt-token-issuer.js';
import { SigningKeyFile } from '../../src/adapters/token-jwt/signing-key-file.js';
import { domainErrorOf, rejectionOf } from '../support/rejection.js';

describe('JwtTokenIssuer', () => {
  const grant = {
    subject: 'user-1',
    sessionId: 'session-1',
    level: 0,
    validFrom: 1_770_000_000,
    validTo: 1_772_592_000,
  };
  let folder: string;
  let file: string;
  let issuer: JwtTokenIssuer;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'weatherd-key-'));
    file = join(folder, 'signing-key.pem');
    const keys = new SigningKeyFile(file);
    await keys.createIfMissing();
    issuer = new JwtTokenIssuer(keys);
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('signs with ES256 what RFC 9068 asks for, and our two claims', async () => {
    const token = await issuer.issue(grant);
    const key = createPublicKey(await readFile(file, 'utf8'));
    const verified = jwt.verify(token, key, {
      algorithms: ['ES256'],
      complete: true,
      clockTimestamp: 1_770_000_001,
    });
    expect(verified.header)
      .to.have.all.keys('alg', 'typ', 'kid')
      .and.include({ alg: 'ES256', typ: 'at+jwt' });
    expect(verified.header.kid).to.match(/^[\w-]{43}$/);
    const { jti, ...claims } = verified.payload as jwt.JwtPayload;
    expect(claims).to.deep.equal({
      iss: 'weatherd',
      aud: 'weatherd',
      sub: 'user-1',
      iat: grant.validFrom,
      nbf: grant.validFrom,
      exp: grant.validTo,
      sid: 'session-1',
      token_level: 0,
    });
    expect(jti).to.match(/^[0-9a-f-]{36}$/);
    expect((jwt.decode(await issuer.issue(grant)) as jwt.JwtPayload).jti).not.to.equal(jti);
  });

  it('has a key that only its owner can read', async () => {
    expect((await stat(file)).mode & 0o777).to.equal(0o600);
  });

  it('makes one key, however many start at once, and keeps it', async () => {
    const other = join(folder, 'other.pem');
    await Promise.all(Array.from({ length: 8 }, () => new SigningKeyFile(other).createIfMissing()));
    const pem = await readFile(other, 'utf8');
    await new SigningKeyFile(other).createIfMissing();
    expect(await readFile(other, 'utf8')).to.equal(pem);
  });

  it('has nothing to sign with while the key is gone, damaged or of another kind, and signs again after', async () => {
    const pem = await readFile(file, 'utf8');
    await rename(file, `${file}.away`);
    const error = await domainErrorOf(issuer.issue(grant), 'SIGNING_KEY_UNAVAILABLE');
    expect(error.message).not.to.contain(folder);
    await domainErrorOf(issuer.check(), 'SIGNING_KEY_UNAVAILABLE');
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' });
    for (const wrong of ['', pem.slice(0, 80), privateKey.export({ type: 'pkcs8', format: 'pem' })]) {
      await writeFile(file, wrong);
      await domainErrorOf(issuer.check(), 'SIGNING_KEY_UNAVAILABLE');
    }
    await rename(`${file}.away`, file);
    expect(await issuer.check()).to.equal(undefined);
    expect(await issuer.issue(grant)).to.be.a('string');
  });

  it('says when the key cannot be made', async () => {
    const error = await rejectionOf(new SigningKeyFile(join(folder, 'missing', 'key.pem')).createIfMissing());
    expect(error).to.have.property('code', 'ENOENT');
  });
});
