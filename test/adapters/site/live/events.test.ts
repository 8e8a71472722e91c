import { expect } from 'chai';
import fc from 'fast-check';
import { WeatherdError } from '#adapters/site/client/api.js';
import { readStreamOrPoll } from '#adapters/site/client/live/live-stream.js';
import { MILLISECONDS } from '#domain/time.js';
import { type Block, readBlocks } from '../../../../clients/typescript/src/event-blocks.js';

describe('the stream of events in the browser', () => {
  const STREAM = new TextEncoder().encode(
    [
      'retry: 3000\nid: 1\n\n: comment\n\n',
      'id: 2\r\nevent: observation\r\ndata: {"a":\r\ndata: 1}\r\n\r\n',
      'data:é\u2028\r\rid: 3\revent: reset\rdata\r\r',
      'data: an incomplete block has no valid position\n',
    ].join(''),
  );

  it('gives the same blocks wherever it is cut', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(STREAM.length)), async (cuts) => {
        const ends = [...cuts, STREAM.length].toSorted((a, b) => a - b);
        const pieces = ends.map((end, index) => STREAM.slice(ends[index - 1] ?? 0, end));
        const blocks: Block[] = [];
        for await (const block of readBlocks(ReadableStream.from(pieces))) blocks.push(block);
        expect(blocks).to.deep.equal([
          { retry: '3000', id: '1' },
          {},
          { id: '2', event: 'observation', data: '{"a":\n1}' },
          { data: 'é\u2028' },
          { id: '3', event: 'reset', data: '' },
        ]);
      }),
    );
  });
});

/** What happens at one attempt to open the stream. */
type Attempt = 'refused' | readonly string[];

/** Runs `lead` with these attempts. `reachable` is whether reading works meanwhile. */
async function follow(attempts: readonly Attempt[], reachable: readonly boolean[]) {
  const told: string[] = [];
  const opened: (string | undefined)[] = [];
  const waits: number[] = [];
  const end = new AbortController();
  const [streams, reads] = [[...attempts], [...reachable]];
  await readStreamOrPoll({
    open: (lastId) => {
      opened.push(lastId);
      const attempt = streams.shift();
      if (attempt === undefined || attempt === 'refused')
        return Promise.reject(new WeatherdError('', { code: 'RATE_LIMITED', status: 429 }));
      const body = new ReadableStream({
        start: (controller) => {
          for (const text of attempt) controller.enqueue(new TextEncoder().encode(text));
          controller.close();
        },
      });
      return Promise.resolve(new Response(body));
    },
    signal: end.signal,
    send: (changed) => told.push(changed.kind === 'connection' ? changed.connection.state : changed.kind),
    reread: () =>
      reads.shift() === false
        ? Promise.reject(new WeatherdError('', { code: 'UNREACHABLE', status: 0 }))
        : Promise.resolve(),
    wait: (milliseconds) => {
      waits.push(milliseconds);
      if (waits.length === attempts.length) end.abort();
      return Promise.resolve();
    },
  });
  return { told, opened, waits };
}

describe('new values in the browser', () => {
  const event = 'id: 7-1\nevent: observation\ndata: {"station":"garden"}\n\n';

  it('come from the stream, which is continued after a break', async () => {
    const { told, opened, waits } = await follow([[event], [event]], []);
    expect(told).to.deep.equal(['live', 'reread', 'change', 'live', 'change']);
    expect(opened).to.deep.equal([undefined, '7-1']);
    expect(waits).to.deep.equal([3, 3].map((seconds) => seconds * MILLISECONDS.second));
  });

  it('come with the issue of a forecast, which has no position', async () => {
    const issue = 'event: forecast\ndata: {"station":"garden","issued":"2026-11-23T14:00:00Z"}\n\n';
    const { told, opened } = await follow([[event, issue], [event]], []);
    expect(told).to.deep.equal(['live', 'reread', 'change', 'forecast', 'live', 'change']);
    expect(opened).to.deep.equal([undefined, '7-1']);
  });

  it('are read each minute if the stream is refused, and everything again if the stream says so', async () => {
    const { told, waits } = await follow(['refused', ['event: reset\ndata: {}\n\n']], [true]);
    expect(told).to.deep.equal(['polling', 'live', 'reread', 'reread']);
    expect(waits[0]).to.equal(MILLISECONDS.minute);
  });

  it('are away while the service cannot be reached, which is tried more often', async () => {
    const { told, opened, waits } = await follow([[event], 'refused', 'refused', [event]], [false, true]);
    expect(told).to.deep.equal([
      'live',
      'reread',
      'change',
      'offline',
      'polling',
      'live',
      'reread',
      'change',
    ]);
    expect(waits.slice(1, 3)).to.deep.equal([10 * MILLISECONDS.second, MILLISECONDS.minute]);
    // After a time away everything is read anew.
    expect(opened.at(-1)).to.equal(undefined);
  });
});
