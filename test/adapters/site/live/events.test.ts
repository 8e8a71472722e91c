import { expect } from 'chai';
import { WeatherdError } from '#adapters/site/client/api.js';
import { lead } from '#adapters/site/client/live/lead.js';
import { MILLISECONDS } from '#domain/time.js';

/** What happens at one attempt to open the stream. */
type Attempt = 'refused' | readonly string[];

/** Runs `lead` with these attempts. `reachable` is whether reading works meanwhile. */
async function follow(attempts: readonly Attempt[], reachable: readonly boolean[]) {
  const told: string[] = [];
  const opened: (string | undefined)[] = [];
  const waits: number[] = [];
  const end = new AbortController();
  const [streams, reads] = [[...attempts], [...reachable]];
  await lead({
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
    tell: (news) => told.push(news.kind === 'connection' ? news.connection.state : news.kind),
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
