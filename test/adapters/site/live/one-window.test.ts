import { once } from 'node:events';
import { expect } from 'chai';
import { type Locks, runInOneWindow } from '#adapters/site/client/live/one-window.js';
import { unlessRefused } from '#adapters/site/client/unless-refused.js';

const refusal = new Error('The request was denied.');
const NAME = 'the stream';

/** A lock of the browser: one call after the other. */
function queue(): Locks {
  let last: Promise<unknown> = Promise.resolve();
  return {
    request: (_name, { signal }, run) => {
      const turn = last.then(() => {
        signal.throwIfAborted();
        return run();
      });
      last = turn.catch(() => undefined);
      return turn;
    },
  };
}

const refusing: Locks = { request: () => Promise.reject(refusal) };
const ticks = () => new Promise((resolve) => void setImmediate(resolve));

describe('what one window does for all windows', () => {
  /** Starts two windows. @returns which of them run, at first and after the end of the first one */
  const runs = async (locks: Locks | undefined) => {
    const running = new Set<string>();
    const windows = ['first', 'second'].map((name) => {
      const page = new AbortController();
      const run = async () => {
        running.add(name);
        await once(page.signal, 'abort');
        running.delete(name);
      };
      return { page, ended: runInOneWindow(locks, NAME, page.signal, run) };
    });
    const seen: string[][] = [];
    for (const { page } of windows) {
      await ticks();
      seen.push([...running]);
      page.abort();
    }
    await Promise.all(windows.map(({ ended }) => ended));
    return [...seen, [...running]];
  };

  it('is done by the next window when the first one has closed', async () => {
    expect(await runs(queue())).to.deep.equal([['first'], ['second'], []]);
  });

  it('is done by each window if the browser has no locks, or refuses them to a frame of another site', async () => {
    for (const locks of [undefined, refusing])
      expect(await runs(locks)).to.deep.equal([['first', 'second'], ['second'], []]);
  });

  it('is not done by a window that has closed, nor a second time after a failure', async () => {
    let count = 0;
    const run = () => {
      count += 1;
      return Promise.reject(refusal);
    };
    await runInOneWindow(refusing, NAME, AbortSignal.abort(), run);
    expect(count).to.equal(0);
    await runInOneWindow(queue(), NAME, new AbortController().signal, run);
    expect(count).to.equal(1);
  });

  it('needs no channel where the browser refuses one', () => {
    expect(unlessRefused(() => 'channel')).to.equal('channel');
    expect(
      unlessRefused(() => {
        throw refusal;
      }),
    ).to.equal(undefined);
  });
});
