// oxlint-disable eslint/no-underscore-dangle -- the methods that Node's streams call are named so.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect } from 'chai';
import fc from 'fast-check';
import { leanWrites } from '#adapters/http/server/lean-writes.js';

/** A server's socket with `leanWrites`, and a promise of all that its client receives until the socket ends. */
async function pair(): Promise<{ socket: Socket; received: Promise<string>; close: () => void }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [socket] = (await once(server, 'connection')) as [Socket];
  leanWrites(socket);
  let text = '';
  client.setEncoding('utf8').on('data', (piece: string) => (text += piece));
  const received = once(client, 'end').then(() => text);
  return { socket, received, close: () => server.close() };
}

describe('leanWrites', () => {
  it('sends what was written, in order, however it is cut, and calls back once for each piece', async () => {
    const piece = fc.oneof(fc.constant(''), fc.string({ unit: 'grapheme', maxLength: 5 }));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.tuple(piece, fc.boolean()), { maxLength: 4 }), { maxLength: 4 }),
        async (turns) => {
          const { socket, received, close } = await pair();
          let written = 0;
          for (const turn of turns) {
            socket.cork();
            for (const [text, asBytes] of turn)
              socket.write(asBytes ? Buffer.from(text) : text, () => (written += 1));
            socket.uncork();
          }
          socket.end();
          expect(await received).to.equal(
            turns
              .flat()
              .map(([text]) => text)
              .join(''),
          );
          expect(written).to.equal(turns.flat().length);
          close();
        },
      ),
      { numRuns: 60 },
    );
  });

  it('sends a text and an empty piece as the text alone', async () => {
    const { socket, received, close } = await pair();
    const sent: unknown[] = [];
    const write = socket._write.bind(socket);
    socket._write = (chunk, encoding, done) => {
      sent.push(chunk);
      write(chunk, encoding, done);
    };
    socket.cork();
    socket.write('reply', 'latin1');
    socket.write('', 'latin1');
    socket.uncork();
    socket.end();
    expect(await received).to.equal('reply');
    expect(sent).to.deep.equal(['reply']);
    close();
  });
});
