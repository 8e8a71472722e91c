import { expect } from 'chai';
import fc from 'fast-check';
import { readUpload } from '#adapters/uploads/request/raw-upload.js';
import type { ReceivedRequest } from '#adapters/uploads/request/request-head.js';
import { MAX_REQUEST, RequestReader } from '#adapters/uploads/request/request-reader.js';
import { ALL, KEY, requestOf } from '../captures.js';
import { MALFORMED } from '../malformed.js';

/** Everything that a reader gives for segments: its first result, and how many segments it has read. */
function readSegments(segments: readonly Buffer[]) {
  const reader = new RequestReader();
  for (const segment of segments) {
    const result = reader.push(segment);
    if (result !== undefined) return typeof result === 'string' ? result : described(result);
  }
  return undefined;
}

const described = ({ headers, body, ...request }: ReceivedRequest) => ({
  ...request,
  headers: [...headers],
  body: body.toString('latin1'),
});

function split(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const at = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return at.slice(1).map((end, index) => bytes.subarray(at[index], end));
}

const whole = (text: string) => readSegments([Buffer.from(text)]);

describe('RequestReader', () => {
  for (const { kind, text, path, fields } of MALFORMED) {
    it(`repairs a request with ${kind}`, () => {
      const upload = readUpload(requestOf(text));
      expect(upload.path).to.equal(path);
      for (const [name, value] of Object.entries(fields))
        expect(upload.fields.get(name), name).to.equal(value);
    });
  }

  it('reads the same from any segments', () => {
    const texts = [...ALL, ...MALFORMED].map(({ text }) => Buffer.from(text));
    const others = ['\u0016\u0003\u0001', 'x', 'GARBAGE\r\n\r\n', `GET /${'a'.repeat(MAX_REQUEST)}`].map(
      (text) => Buffer.from(text),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...texts, ...others),
        fc.array(fc.nat(20_000), { maxLength: 12 }),
        (bytes, cuts) => {
          expect(readSegments(split(bytes, cuts))).to.deep.equal(readSegments([bytes]));
        },
      ),
      { numRuns: 400 },
    );
    for (const bytes of texts.slice(0, 20)) {
      const single = Array.from(bytes, (byte) => Buffer.of(byte));
      expect(readSegments(single)).to.deep.equal(readSegments([bytes]));
    }
  });

  it('waits for the end of the head and for the whole body', () => {
    for (const { text } of ALL) {
      const bytes = Buffer.from(text);
      expect(readSegments([bytes.subarray(0, -1)])).to.equal(undefined);
      expect(readSegments([bytes])).to.be.an('object');
    }
  });

  it('tells what is no request', () => {
    expect(whole('\u0016\u0003\u0001\u0002\u0000')).to.equal('tls');
    for (const text of [
      'HELLO\r\n\r\n',
      'get / HTTP/1.1\r\n\r\n',
      'GETTER / HTTP/1.1\r\n\r\n',
      'GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n',
      'GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n',
      'GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      '\u0000\u0001\r\n\r\n',
    ])
      expect(whole(text), text).to.equal('invalid');
    expect(whole('POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n')).to.equal('length');
  });

  it('limits a request to 16 KiB, head and body together', () => {
    const request = (size: number, body: number) => {
      const start = `POST / HTTP/1.1\r\nContent-Length: ${body}\r\nX: `;
      return `${start}${'x'.repeat(size - start.length - 4 - body)}\r\n\r\n${'b'.repeat(body)}`;
    };
    expect(whole(request(MAX_REQUEST, 1000))).to.be.an('object');
    expect(whole(request(MAX_REQUEST + 1, 1000))).to.equal('large');
    expect(whole(request(MAX_REQUEST + 1, 1000).slice(0, -900))).to.equal('large');
    expect(whole('POST / HTTP/1.1\r\nContent-Length: 999999999\r\n\r\n')).to.equal('large');
    expect(whole(`GET /${'a'.repeat(MAX_REQUEST)}`)).to.equal('large');
    expect(whole(`GET / HTTP/1.1\r\n${'a: b\r\n'.repeat(4000)}`)).to.equal('large');
  });

  it('takes any bytes without failing', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const result = new RequestReader().push(
          Buffer.from([...Buffer.from('GET /?'), ...bytes, ...Buffer.from('\r\n\r\n')]),
        );
        if (typeof result === 'object') readUpload(result);
      }),
    );
  });
});

describe('readUpload', () => {
  it('finds the upload key in the path, or in the bearer token', () => {
    const keyOf = (target: string, header = 'X: y') =>
      readUpload(requestOf(`GET ${target} HTTP/1.1\r\n${header}\r\n\r\n`)).key;
    for (const target of [
      `/u/${KEY}`,
      `/u/${KEY}/`,
      `/u/${KEY}/data/report/?a=b`,
      `u/${KEY}&PASSKEY=A`,
      `/u/${KEY}PASSKEY=A&b=c`,
      `/x/u/${KEY}/`,
    ])
      expect(keyOf(target), target).to.equal(KEY);
    expect(keyOf('/', `Authorization: Bearer ${KEY}`)).to.equal(KEY);
    expect(keyOf('/u/one/', 'Authorization: Bearer two')).to.equal('one');
    for (const target of ['/', '/u', '/u/', '/v/key/', '/us/key/', `/u/${'k'.repeat(129)}/`])
      expect(keyOf(target), target).to.equal(undefined);
    expect(keyOf('/', 'Authorization: Basic YTpi')).to.equal(undefined);
  });
});
