import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import { expect } from 'chai';
import jwt from 'jsonwebtoken';
import { AddUser } from '#application/accounts/users/add-user.js';
import { ChangeUser } from '#application/accounts/users/change-user.js';
import { RemoveUser } from '#application/accounts/users/remove-user.js';
import type { Service } from '#composition/service.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import { type Answer, Client } from '../support/client.js';
import { Place } from '../support/place.js';

const PASSWORD = 'correct horse battery staple';
const SECRET = 'an-internal-secret-of-32-bytes-!';
/** The order of the group of P-256 (SEC 2, section 2.4.2). */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

const base64 = (value: object | string) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/** The material for a forged token: a valid token with its parts, and the public key. */
interface TokenParts {
  readonly token: string;
  readonly header: string;
  readonly claims: string;
  readonly signature: string;
  readonly decoded: { readonly header: jwt.JwtHeader; readonly payload: jwt.JwtPayload };
  readonly publicKey: KeyObject;
}

const FORGERIES: readonly (readonly [title: string, forge: (parts: TokenParts) => string])[] = [
  ['nonsense', () => 'nonsense'],
  ['the parts of a token, all empty', () => '..'],
  ['a token stripped of its signature', ({ header, claims }) => `${header}.${claims}.`],
  ['a token stripped of its signature and its point', ({ header, claims }) => `${header}.${claims}`],
  ['alg none', ({ claims }) => `${base64({ alg: 'none', typ: 'at+jwt' })}.${claims}.`],
  [
    'alg None, with the old signature',
    ({ claims, signature, decoded }) =>
      `${base64({ ...decoded.header, alg: 'None' })}.${claims}.${signature}`,
  ],
  [
    'HS256 with the public key in PEM as its secret',
    (parts) => hmac(parts, parts.publicKey.export({ type: 'spki', format: 'pem' })),
  ],
  [
    'HS256 with the public key in DER as its secret',
    (parts) => hmac(parts, parts.publicKey.export({ type: 'spki', format: 'der' })),
  ],
  ['HS256 with an empty secret', (parts) => hmac(parts, '')],
  ['the key of another under our id', (parts) => signedBy(parts, strangeKey())],
  [
    'a key that it brings along',
    (parts) => {
      const key = strangeKey();
      return signedBy(parts, key, { jwk: createPublicKey(key).export({ format: 'jwk' }) });
    },
  ],
  ['a key from elsewhere', (parts) => signedBy(parts, strangeKey(), { jku: 'http://127.0.0.1:9/keys' })],
  ['a key id that is a path', (parts) => signedBy(parts, strangeKey(), { kid: '../../../../dev/null' })],
  ['a key id that is SQL', (parts) => signedBy(parts, strangeKey(), { kid: "' OR 1=1 --" })],
  [
    'a key id that is a property of every object',
    (parts) => signedBy(parts, strangeKey(), { kid: '__proto__' }),
  ],
  [
    'a higher level under the old signature',
    ({ header, decoded, signature }) =>
      `${header}.${base64({ ...decoded.payload, token_level: 1 })}.${signature}`,
  ],
  [
    'another subject under the old signature',
    ({ header, decoded, signature }) =>
      `${header}.${base64({ ...decoded.payload, sub: 'somebody' })}.${signature}`,
  ],
  [
    'a signature of zeros (CVE-2022-21449)',
    ({ header, claims }) => `${header}.${claims}.${Buffer.alloc(64).toString('base64url')}`,
  ],
  [
    'a signature in DER',
    ({ header, claims, signature }) =>
      `${header}.${claims}.${Buffer.concat([Buffer.from([0x30, 0x44]), Buffer.from(signature, 'base64url')]).toString('base64url')}`,
  ],
  ['one character less', ({ token }) => token.slice(0, -1)],
  ['one character more', ({ token }) => `${token}A`],
  ['other last bits, which mean the same', ({ token }) => token.slice(0, -1) + twin(token.at(-1) ?? '')],
  ['padding', ({ token }) => `${token}==`],
  ['padding within', ({ header, claims, signature }) => `${header}==.${claims}.${signature}`],
  ['a point at its end', ({ token }) => `${token}.`],
  ['a fourth part', ({ token, claims }) => `${token}.${claims}`],
  ['encryption (JWE, five parts)', ({ header }) => `${header}.a.b.c.d`],
  ['base64 that is no base64url', ({ token }) => token.replace(/[-_]?.$/, '+/')],
  // A longer header is refused before it is read; see contracts/http/http-parity.
  ['eight thousand characters', ({ token }) => token.padEnd(8000, 'A')],
  ['the id of the session', ({ decoded }) => decoded.payload['sid'] as string],
  ['the id of the token', ({ decoded }) => decoded.payload.jti as string],
  ['the internal secret', () => SECRET],
  ['the password', () => 'correct'],
];

const strangeKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;

function hmac({ decoded, claims }: TokenParts, secret: string | Buffer): string {
  const signed = `${base64({ ...decoded.header, alg: 'HS256' })}.${claims}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

function signedBy({ decoded }: TokenParts, key: KeyObject, header: object = {}): string {
  return jwt.sign(decoded.payload, key, { algorithm: 'ES256', header: { ...decoded.header, ...header } });
}

/** Another character with the same first two bits. A lenient decoder reads both alike. */
function twin(character: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return alphabet[alphabet.indexOf(character) ^ 1] ?? '';
}

for (const store of ['sqlite', 'postgres']) {
  for (const transport of ['express', 'fastify']) {
    describe(`attacks › ${transport} over ${store}`, () => {
      let place: Place;
      let service: Service;
      let external: Client;
      let internal: Client;

      before(async () => {
        place = await Place.make(store);
        service = await place.serve({
          WEATHERD_EXTERNAL_TRANSPORT: transport,
          WEATHERD_INTERNAL_TRANSPORT: transport,
          WEATHERD_INTERNAL_SECRET: SECRET,
        });
        external = new Client(service.externalUrl);
        internal = new Client(service.internalUrl);
        const addUser = get(AddUser);
        for (const [name, administrator] of [
          ['ada', true],
          ['bob', false],
        ] as const) {
          await addUser.execute({ name, email: null, password: PASSWORD, administrator }, COMMAND_LINE);
        }
      });
      after(async () => {
        await service.stop();
        await place.remove();
      });

      const get: typeof service.application.container.get = (token: never) =>
        service.application.container.get(token);
      const signIn = async (name = 'ada') => Client.tokenOf(await external.signIn(name, PASSWORD));
      const elevate = async (token: string) =>
        Client.tokenOf(
          await external.send('POST', '/v1/auth/elevate/', token, { password: PASSWORD, duration: null }),
        );
      /** An action for a basic token, and one for the elevated token of an administrator. */
      const drop = (token?: string) => external.send('POST', '/v1/auth/drop/', token);
      const users = (token?: string) => external.send('GET', '/v1/users', token);
      const introspect = (token: string) =>
        internal.ask(
          'POST',
          '/v1/tokens/introspect',
          [`Authorization: Bearer ${SECRET}`, 'Content-Type: application/x-www-form-urlencoded'],
          new URLSearchParams({ token }).toString(),
        );
      const privateKeyOf = async (token: string) => {
        const stores = await place.open();
        const kid = jwt.decode(token, { complete: true })?.header.kid;
        const key = (await stores.keys.list()).find(({ id }) => id === kid)?.privateKey ?? '';
        await stores.close();
        return createPrivateKey(key);
      };
      const expectRefused = async (answer: Answer, what: string) => {
        expect([answer.status, answer.error, answer.challenge], what).to.deep.equal([
          401,
          'AUTH_TOKEN_INVALID',
          'Bearer error="invalid_token"',
        ]);
      };

      it('a forged, stripped, confused, truncated, padded or re-keyed token is refused: 401', async () => {
        const token = await signIn();
        const [header = '', claims = '', signature = ''] = token.split('.');
        const decoded = jwt.decode(token, { complete: true }) as TokenParts['decoded'];
        const publicKey = createPublicKey(await privateKeyOf(token));
        for (const [title, forge] of FORGERIES) {
          const forged = forge({ token, header, claims, signature, decoded, publicKey });
          expect(forged, title).not.to.equal(token);
          const answer = await users(forged);
          expect([answer.status, answer.error], title).to.deep.equal([401, 'AUTH_TOKEN_INVALID']);
          if (forged !== '') expect((await introspect(forged)).body, title).to.deep.equal({ active: false });
        }
        expect((await users(token)).error).to.equal('AUTH_ELEVATION_REQUIRED');
      });

      it('a well-signed token with forbidden content: 401', async () => {
        const token = await signIn();
        const key = await privateKeyOf(token);
        const { header, payload } = jwt.decode(token, { complete: true }) as TokenParts['decoded'];
        const now = Math.floor(Date.now() / 1000);
        for (const changes of [
          { exp: now - 1, nbf: now - 100 },
          { nbf: now + 60 },
          { iss: 'another' },
          { aud: 'another' },
          { sub: 'another' },
          { sid: 'another' },
          { token_level: 1 },
          { token_level: 2 },
        ]) {
          const signed = jwt.sign({ ...payload, ...changes }, key, { algorithm: 'ES256', header });
          await expectRefused(await drop(signed), JSON.stringify(changes));
          expect((await introspect(signed)).body).to.deep.equal({ active: false });
        }
      });

      it('the other form of the same signature is the same token, and is revoked with it', async () => {
        const token = await signIn();
        const [header = '', claims = '', signature = ''] = token.split('.');
        const bytes = Buffer.from(signature, 'base64url');
        const s = BigInt(`0x${bytes.subarray(32).toString('hex')}`);
        const other = Buffer.from((ORDER - s).toString(16).padStart(64, '0'), 'hex');
        const mirrored = `${header}.${claims}.${Buffer.concat([bytes.subarray(0, 32), other]).toString('base64url')}`;
        expect((await drop(mirrored)).status).to.equal(200);
        await external.send('POST', '/v1/auth/revoke/', token, { scope: 'session' });
        await expectRefused(await drop(mirrored), 'the other form');
      });

      it('a token outside of the Authorization header is ignored: 401 without an error', async () => {
        const token = await elevate(await signIn());
        for (const [path, headers] of [
          [`/v1/users?access_token=${token}`, []],
          [`/v1/users?token=${token}`, []],
          ['/v1/users', [`Cookie: token=${token}`]],
          ['/v1/users', [`X-Authorization: Bearer ${token}`]],
          ['/v1/users', [`Proxy-Authorization: Bearer ${token}`]],
          ['/v1/users', [`Authorization: Basic ${token}`]],
          ['/v1/users', [`Authorization: ${token}`]],
          ['/v1/users', [`Authorization: Bearer`]],
          ['/v1/users', [`Authorization: Bearer ${token} ${token}`]],
          ['/v1/users', [`Authorization: Bearer "${token}"`]],
          ['/v1/users', [`Authorization: Bearer ${token},Bearer ${token}`]],
        ] as const) {
          const { status, error, challenge } = await external.ask('GET', path, headers);
          expect([status, error, challenge], headers.join() || path).to.deep.equal([
            401,
            'AUTH_TOKEN_INVALID',
            'Bearer',
          ]);
        }
        const form = ['Content-Type: application/x-www-form-urlencoded'];
        const { status } = await external.ask('POST', '/v1/auth/drop/', form, `access_token=${token}`);
        expect(status).to.equal(401);
      });

      it('two tokens are refused: 400', async () => {
        const token = await signIn();
        const twice = [`Authorization: Bearer ${token}`, `authorization: Bearer ${token}`];
        const { status, error } = await external.ask('GET', '/v1/users', twice);
        expect([status, error]).to.deep.equal([400, 'REQUEST_INVALID']);
      });

      it('a token that is too large does not reach the verifier: 431', async () => {
        expect((await users('A'.repeat(20_000))).status).to.equal(431);
      });

      it('a basic token is refused where an elevated one is needed: 401 with the needed level', async () => {
        for (const name of ['ada', 'bob']) {
          const token = await signIn(name);
          for (const [method, path] of [
            ['GET', '/v1/users'],
            ['GET', '/v1/users/ada'],
            ['PUT', '/v1/users/ada'],
            ['DELETE', '/v1/users/ada'],
            ['GET', '/v1/audit'],
          ] as const) {
            const { status, error, challenge } = await external.send(method, path, token);
            expect([status, error, challenge], `${method} ${path}`).to.deep.equal([
              401,
              'AUTH_ELEVATION_REQUIRED',
              'Bearer error="insufficient_user_authentication", max_age=300',
            ]);
          }
        }
      });

      it('an elevated token of a user who is not an administrator is refused too: 403', async () => {
        const token = await elevate(await signIn('bob'));
        for (const [method, path] of [
          ['GET', '/v1/users'],
          ['DELETE', '/v1/users/ada'],
          ['GET', '/v1/audit'],
          ['GET', '/v1/users/nobody'],
        ] as const) {
          const { status, error } = await external.send(method, path, token);
          expect([status, error], `${method} ${path}`).to.deep.equal([403, 'AUTH_NOT_ALLOWED']);
        }
      });

      it('a caller without the right learns nothing about the body or the path: the token is checked first', async () => {
        const { status } = await external.send('PUT', '/v1/users/a%20b', undefined, { nonsense: true });
        expect(status).to.equal(401);
      });

      it('a withdrawn right is invalid from the next request on', async () => {
        await get(AddUser).execute(
          { name: 'eve', email: null, password: PASSWORD, administrator: true },
          COMMAND_LINE,
        );
        const token = await elevate(await signIn('eve'));
        expect((await users(token)).status).to.equal(200);
        await get(ChangeUser).execute({ name: 'eve', administrator: false }, COMMAND_LINE);
        expect((await users(token)).error).to.equal('AUTH_NOT_ALLOWED');
      });

      it('a token replayed after drop, revocation, a new password or removal: 401', async () => {
        const ends: [string, (token: string, elevated: string) => Promise<unknown>, boolean][] = [
          ['drop', (_token, elevated) => drop(elevated), false],
          ['token', (_token, elevated) => revoke(elevated, 'token'), false],
          ['session', (token) => revoke(token, 'session'), true],
          ['all', (token) => revoke(token, 'all'), true],
          ['password', () => change({ password: PASSWORD }), true],
          ['disable', () => change({ enabled: false }), true],
          ['remove', () => get(RemoveUser).execute({ name: 'mallory' }, COMMAND_LINE), true],
        ];
        const revoke = (token: string, scope: string) =>
          external.send('POST', '/v1/auth/revoke/', token, { scope });
        const change = (changes: object) =>
          get(ChangeUser).execute({ name: 'mallory', ...changes }, COMMAND_LINE);
        await get(AddUser).execute(
          { name: 'mallory', email: null, password: PASSWORD, administrator: true },
          COMMAND_LINE,
        );
        for (const [title, end, both] of ends) {
          await change({ enabled: true });
          const token = await signIn('mallory');
          const elevated = await elevate(token);
          expect((await users(elevated)).status, title).to.equal(200);
          await end(token, elevated);
          await expectRefused(await users(elevated), title);
          expect((await introspect(elevated)).body, title).to.deep.equal({ active: false });
          // An instance that did not end the session may accept it for five more seconds.
          if (both && (title === 'session' || title === 'all')) await expectRefused(await drop(token), title);
        }
      });

      it('an old elevated token is invalid as soon as there is a new one', async () => {
        const token = await signIn();
        const first = await elevate(token);
        const second = await elevate(token);
        await expectRefused(await users(first), 'the first');
        expect((await users(second)).status).to.equal(200);
      });

      it('elevation needs the password every time, and the fifth wrong one ends the session', async () => {
        const token = await signIn('bob');
        for (let time = 0; time < 5; time += 1) {
          const { status, error } = await external.send('POST', '/v1/auth/elevate/', token, {
            password: 'wrong',
            duration: null,
          });
          expect([status, error]).to.deep.equal([403, 'AUTH_INVALID_CREDENTIALS']);
        }
        await expectRefused(await drop(token), 'after five');
        expect(await signIn('bob')).to.be.a('string');
      });

      it('JSON with another media type, or another format as JSON: 415', async () => {
        const token = await signIn();
        const bearer = `Authorization: Bearer ${token}`;
        const json = '{"scope":"all"}';
        for (const type of [
          'text/plain',
          'application/x-www-form-urlencoded',
          'multipart/form-data; boundary=x',
        ]) {
          const { error } = await external.ask(
            'POST',
            '/v1/auth/revoke/',
            [bearer, `Content-Type: ${type}`],
            json,
          );
          expect(error, type).to.equal('MEDIA_TYPE_UNSUPPORTED');
        }
        const { error } = await internal.ask(
          'POST',
          '/v1/tokens/introspect',
          [`Authorization: Bearer ${SECRET}`, 'Content-Type: application/json'],
          `{"token":"${token}"}`,
        );
        expect(error).to.equal('MEDIA_TYPE_UNSUPPORTED');
        expect((await drop(token)).status).to.equal(200);
      });

      it('a page of another origin may not read, and cannot send a token', async () => {
        const origin = 'Origin: https://evil.example';
        const preflight = await external.ask('OPTIONS', '/v1/users', [
          origin,
          'Access-Control-Request-Method: DELETE',
          'Access-Control-Request-Headers: authorization',
        ]);
        const { reply } = await external.send('GET', '/v1/users', await signIn(), undefined, [origin]);
        for (const [name] of [...preflight.reply.headers, ...reply.headers]) {
          expect(name.toLowerCase()).not.to.match(/^(?:access-control|set-cookie)/);
        }
      });

      it('introspection is refused without the secret, and for a foreign host name', async () => {
        const token = await signIn();
        const form = 'Content-Type: application/x-www-form-urlencoded';
        const ask = (headers: string[]) =>
          internal.ask('POST', '/v1/tokens/introspect', [form, ...headers], `token=${token}`);
        expect((await ask([])).status).to.equal(401);
        expect((await ask([`Authorization: Bearer ${token}`])).status).to.equal(401);
        expect(
          (await ask([`Authorization: Bearer ${SECRET}`, 'Origin: https://evil.example'])).error,
        ).to.equal('ORIGIN_NOT_ALLOWED');
        const { body } = await introspect(token);
        expect(body).to.include({ active: true, username: 'ada', token_level: 0, token_type: 'Bearer' });
        const twice = await internal.ask(
          'POST',
          '/v1/tokens/introspect',
          [form, `Authorization: Bearer ${SECRET}`],
          `token=${token}&token=x`,
        );
        expect(twice.error).to.equal('REQUEST_INVALID');
      });

      it('keeps no password, token or hash in the audit trail or in a reply about users', async () => {
        const token = await elevate(await signIn());
        const secret = 'a-password-in-the-wrong-field';
        await external.signIn(secret, secret);
        const listed = [
          (await users(token)).reply.body,
          (await external.send('GET', '/v1/audit?limit=1000', token)).reply.body,
        ];
        for (const text of listed) {
          expect(text).not.to.contain(PASSWORD).and.not.contain(secret);
          expect(text).not.to.match(/argon2|eyJ|BEGIN/);
        }
      });
    });
  }
}
