import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tls from 'node:tls';
import sinon from 'sinon';
import { connectionFailure } from '#adapters/http-client/connection-failure.js';
import { exchangeHttp } from '#adapters/http-client/http-exchange.js';
import { MachineNetwork } from '#adapters/source-network/network.js';
import { makeCertificate } from '../../support/certificate.js';
import { failureOf } from '../../support/devices/failure.js';

const EXCHANGE = { rule: 'any', signal: new AbortController().signal } as const;
const CUT = 'The source ended the connection in the middle of its reply.';
const CLOSED = 'The source closed the connection before it answered.';
const NOT_HTTP = 'The reply of the source is not valid HTTP: check the address and the port.';
const HEAD = 'HTTP/1.1 200 OK\r\n';

/** What a server does with a connection on which it has received something. */
type Act = (socket: Socket) => void;
const sends =
  (text: string): Act =>
  (socket) =>
    socket.write(text);
const ends =
  (text: string): Act =>
  (socket) =>
    socket.end(text);

const ACTS: Readonly<Record<string, readonly [act: Act, sentence: string]>> = {
  'sends nothing': [() => undefined, 'The source did not answer within 1 s.'],
  'sends half of its headers': [sends('HTTP/1.1 200'), 'The source did not answer within 1 s.'],
  'drips its reply': [
    (socket) => {
      socket.write(`${HEAD}content-length: 1000\r\n\r\n`);
      const drip = setInterval(() => socket.write('x'), 10);
      socket.on('close', () => clearInterval(drip));
    },
    'The source took too long: its reply was not complete after 1 s.',
  ],
  'ends in the middle of its reply': [ends(`${HEAD}content-length: 9\r\n\r\n{`), CUT],
  'resets the connection in the middle of its reply': [
    (socket) => socket.write(`${HEAD}content-length: 9\r\n\r\n{`, () => socket.resetAndDestroy()),
    CUT,
  ],
  'ends in the middle of a chunk': [ends(`${HEAD}transfer-encoding: chunked\r\n\r\n9\r\n{`), CUT],
  'resets the connection': [(socket) => socket.resetAndDestroy(), CLOSED],
  'ends the connection': [ends(''), CLOSED],
  'ends in the middle of its headers': [ends('HTTP/1.1 200'), CLOSED],
  'has large headers': [
    sends(`${HEAD}x: ${'x'.repeat(20_000)}\r\n\r\n`),
    'The headers in the reply of the source are too large.',
  ],
  'has an invalid header': [ends(`${HEAD}a b: c\r\n\r\n`), NOT_HTTP],
  'has two lengths': [ends(`${HEAD}content-length: 1\r\ncontent-length: 2\r\n\r\n{}`), NOT_HTTP],
  'has a length that is no number': [ends(`${HEAD}content-length: x\r\n\r\n{}`), NOT_HTTP],
  'has an invalid version': [ends('HTTP/9.9 200 OK\r\n\r\n'), NOT_HTTP],
  'speaks another protocol': [sends('SSH-2.0-OpenSSH_9.2\r\n'), NOT_HTTP],
  'has a bad chunk': [
    ends(`${HEAD}transfer-encoding: chunked\r\n\r\nxyz\r\n`),
    'A chunk in the reply of the source is not valid HTTP.',
  ],
  redirects: [
    ends('HTTP/1.1 302 Found\r\nlocation: http://192.168.1.1/\r\ncontent-length: 0\r\n\r\n'),
    'The source answered with status 302. Redirects are not followed.',
  ],
};

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** The failure of a request to a server that does something. */
async function sentenceOf(server: Server, protocol: 'http' | 'https', timeout = 1000): Promise<string> {
  const url = `${protocol}://localhost:${await portOf(server)}/`;
  try {
    const asked = new MachineNetwork({ timeout }).fetch({ url }, EXCHANGE);
    return (await failureOf(asked)).message;
  } finally {
    server.close();
  }
}

const serverThat = (act: Act) =>
  createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => act(socket));
  });

describe('failures of a source', () => {
  for (const [does, [act, sentence]] of Object.entries(ACTS))
    it(`are one sentence if it ${does}`, async () => {
      expect(await sentenceOf(serverThat(act), 'http')).to.equal(sentence);
    });

  it('are one sentence if nothing listens', async () => {
    const server = createServer();
    const port = await portOf(server);
    await new Promise((resolve) => server.close(resolve));
    const asked = new MachineNetwork().fetch({ url: `http://127.0.0.1:${port}/` }, EXCHANGE);
    expect((await failureOf(asked)).message).to.equal('The source refused the connection.');
  });

  it('are one sentence if its binary reply drips', async () => {
    const server = serverThat((socket) => socket.write('x'));
    const port = await portOf(server);
    const network = new MachineNetwork({ timeout: 1000 });
    const asked = network.exchange('127.0.0.1', port, Buffer.of(1), () => false, EXCHANGE);
    expect((await failureOf(asked)).message).to.equal(
      'The source took too long: its reply was not complete after 1 s.',
    );
    server.close();
  });

  it('are one sentence if its name has no address', async () => {
    const resolve = (_name: string, _options: object, callback: (error: Error) => void) =>
      callback(Object.assign(new Error('x'), { code: 'ENOTFOUND' }));
    const outcome = await exchangeHttp(
      { method: 'GET', url: new URL('http://x.invalid'), rule: 'private', timeout: 9000, maxReply: 9 },
      EXCHANGE.signal,
      resolve as never,
    );
    expect(outcome).to.deep.equal({ failure: 'error', code: 'ENOTFOUND' });
  });

  describe('with TLS', () => {
    let folder: string;
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'weatherd-certificate-'));
    });
    afterEach(() => {
      sinon.restore();
      rmSync(folder, { recursive: true, force: true });
    });

    /** Starts a server with a certificate. @param isTrusted whether requests trust the certificate */
    const serverWith = (certificate: object, isTrusted: boolean) => {
      const [cert, key] = makeCertificate(folder, certificate);
      const create = tls.createSecureContext;
      const server = tls.createServer({ cert, key });
      if (isTrusted)
        sinon.stub(tls, 'createSecureContext').callsFake((options) => create({ ...options, ca: cert }));
      return server;
    };
    const cases: readonly (readonly [certificate: object, isTrusted: boolean, sentence: string])[] = [
      [{}, false, 'The certificate of the source is not signed by a known authority.'],
      [{ hasExpired: true }, true, 'The certificate of the source has expired.'],
      [{ name: 'other.example' }, true, 'The certificate of the source is for another name.'],
    ];
    for (const [certificate, isTrusted, sentence] of cases)
      it(`are: ${sentence}`, async () => {
        expect(await sentenceOf(serverWith(certificate, isTrusted), 'https', 9000)).to.equal(sentence);
      });

    const noTls =
      'The source does not answer with a known version of TLS: check the port, or whether the URL begins with http:.';
    it('are one sentence if it does not speak TLS', async () => {
      const server = serverThat(ends('HTTP/1.1 400 Bad Request\r\n\r\n'));
      expect(await sentenceOf(server, 'https', 9000)).to.equal(noTls);
    });

    it('are one sentence if no version of TLS is known to both', async () => {
      const [cert, key] = makeCertificate(folder);
      const old = { maxVersion: 'TLSv1.1', minVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' } as const;
      const server = tls.createServer({ cert, key, ...old });
      server.on('tlsClientError', () => undefined);
      expect(await sentenceOf(server, 'https', 9000)).to.equal(noTls);
    });

    it('are one sentence if it speaks TLS and is asked without', async () => {
      const server = serverWith({}, false);
      server.on('tlsClientError', () => undefined);
      expect([CLOSED, NOT_HTTP]).to.include(await sentenceOf(server, 'http', 9000));
    });
  });

  it('name no code that people would have to look up', () => {
    const known =
      'ECONNREFUSED ECONNRESET ECONNABORTED EPIPE ETIMEDOUT ERR_SOCKET_CONNECTION_TIMEOUT EHOSTUNREACH EHOSTDOWN ENETUNREACH ' +
      'ENETDOWN EADDRNOTAVAIL EACCES EPERM EMFILE ENFILE ENOTFOUND ENODATA EAI_AGAIN EAI_FAIL EAI_NONAME ESERVFAIL ETIMEOUT ' +
      'EPROTO ERR_SSL_WRONG_VERSION_NUMBER ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION ERR_TLS_CERT_ALTNAME_INVALID HOSTNAME_MISMATCH ' +
      'CERT_HAS_EXPIRED CERT_NOT_YET_VALID CERT_REVOKED CERT_UNTRUSTED CERT_REJECTED CERT_SIGNATURE_FAILURE CERT_CHAIN_TOO_LONG ' +
      'UNABLE_TO_GET_CRL CRL_HAS_EXPIRED INVALID_CA INVALID_PURPOSE PATH_LENGTH_EXCEEDED UNABLE_TO_GET_ISSUER_CERT_LOCALLY ' +
      'UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY ERROR_IN_CERT_NOT_BEFORE_FIELD HPE_INVALID_CONSTANT HPE_HEADER_OVERFLOW ' +
      'HPE_INVALID_CHUNK_SIZE HPE_CR_EXPECTED HPE_LF_EXPECTED HPE_INVALID_TRANSFER_ENCODING';
    for (const code of known.split(' '))
      for (const who of ['The source', 'The target']) {
        const sentence = connectionFailure(code, who);
        expect(sentence, code).to.match(/^[A-Z][^{}()_]+\.$/);
        expect(sentence.toLowerCase()).to.match(new RegExp(`${who.toLowerCase()}|this machine`));
      }
    expect(connectionFailure('EODD', 'The source')).to.equal('The source could not be reached (EODD).');
  });
});
