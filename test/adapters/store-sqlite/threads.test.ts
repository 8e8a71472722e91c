import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { Threads, type ThreadsOptions } from '#adapters/store-sqlite/database/threads.js';
import { ENDS_AT_START } from '../../support/installation.js';
import { eventually } from '../../support/process.js';
import { rejectionOf } from '../../support/rejection.js';

/** Time limit of a call in milliseconds, for threads that have started. */
const LIMIT = 2000;
/** Time limit for a thread to start, on a machine that is busy with other work. */
const START_LIMIT = 60_000;

/** A module whose calls return their first parameter. */
const ECHO = 'export default ({ parameters }) => parameters[0]';

describe('Threads', () => {
  let threads: Threads;
  afterEach(() => threads.destroy());

  const make = (options: Partial<ThreadsOptions> = {}) =>
    (threads = new Threads({
      filename: new URL('../../support/probe-thread.js', import.meta.url).href,
      file: '',
      count: 1,
      hasLowPriority: false,
      terminate: 'always',
      answerTimeout: LIMIT,
      ...options,
    }));
  const errorOf = async (answer: Promise<unknown>) => (await rejectionOf(answer)) as Error;
  const echo = (text: string) => threads.run('echo', [text]);
  const startThread = () => threads.run('echo', ['started'], [], START_LIMIT);
  const makeSwitch = () => {
    const stop = new Int32Array(new SharedArrayBuffer(8));
    const flip = () => {
      Atomics.store(stop, 0, 1);
      Atomics.notify(stop, 0);
    };
    return { stop, flip };
  };
  const checkFails = () =>
    threads.check('echo').then(
      () => undefined,
      (error: Error) => error.message,
    );

  it('runs calls in the order of their arrival, also those that waited', async () => {
    make({ answerTimeout: START_LIMIT });
    const order: unknown[] = [];
    const texts = Array.from({ length: 200 }, (_, index) => `call ${index}`);
    await Promise.all(texts.map((text) => echo(text).then((answer) => order.push(answer))));
    expect(order).to.deep.equal(texts);
  });

  it('rejects with the error of the operation and continues', async () => {
    make();
    await startThread();
    expect(await rejectionOf(threads.run('fail', []))).to.have.property('message', 'it fails');
    expect(await echo('a')).to.equal('a');
  });

  it('starts no thread for a check', async () => {
    make();
    expect(await checkFails()).to.equal(undefined);
    expect(threads.areBusy).to.equal(false);
  });

  it('replaces a thread that hangs in a call, reports it to the next check, and works again', async () => {
    make({ terminate: 'stalled' });
    await startThread();
    const hung = errorOf(threads.run('hang', []));
    const waiting = errorOf(echo('waited'));
    expect((await hung).message).to.contain(`did not answer within ${LIMIT} ms`);
    expect((await waiting).message).to.contain('did not answer');
    const answers = () => threads.run('echo', ['free again'], [], START_LIMIT).catch(() => undefined);
    expect(await eventually(answers, (answer) => answer !== undefined)).to.equal('free again');
    expect(await checkFails()).to.contain('was replaced');
    expect(await checkFails()).to.equal(undefined);
  });

  it('finds after a few checks that a thread hangs, long before the time limit of its call', async () => {
    make({ answerTimeout: START_LIMIT });
    await startThread();
    threads.run('hang', []).catch(() => undefined);
    // The first checks may run before the thread has begun the call.
    const found: unknown[] = [];
    while (found.length < 20 && found.at(-1) === undefined) found.push(await checkFails());
    expect(found.at(-1)).to.equal('a thread of the data file makes no progress');
    expect(found.length).to.be.within(3, 20);
  });

  it('does not interrupt a thread that makes progress', async () => {
    make({ terminate: 'stalled' });
    const { stop, flip } = makeSwitch();
    await startThread();
    const working = threads.run('work', [stop], [], START_LIMIT);
    const late = await errorOf(threads.run('work', [stop]));
    expect(late.message).to.contain('did not answer');
    for (let check = 0; check < 5; check += 1) {
      expect(await checkFails()).to.equal(undefined);
      const before = Atomics.load(stop, 1);
      await eventually(
        async () => Atomics.load(stop, 1),
        (now) => now > before,
      );
    }
    flip();
    expect(await working).to.equal('worked');
    expect(await checkFails()).to.equal(undefined);
  });

  it('ends the work of a thread whose callers have left, if others do not need it', async () => {
    make();
    const { stop } = makeSwitch();
    await startThread();
    await rejectionOf(threads.run('work', [stop]));
    const answers = () => threads.run('echo', ['free again'], [], START_LIMIT).catch(() => undefined);
    expect(await eventually(answers, (answer) => answer !== undefined)).to.equal('free again');
  });

  it('reports a thread that has ended once, and starts another', async () => {
    make({ answerTimeout: START_LIMIT });
    expect((await errorOf(threads.run('exit', []))).message).to.contain('exited with code: 3');
    expect(await checkFails()).to.contain('ended unexpectedly');
    expect(await checkFails()).to.equal(undefined);
    expect(await echo('again')).to.equal('again');
  });

  for (const [end, text] of Object.entries(ENDS_AT_START)) {
    it(`fails each call, without a limit too, if a thread ${end} at its start, and works once it is mended`, async () => {
      const folder = await mkdtemp(join(tmpdir(), 'weatherd-threads-'));
      const file = join(folder, 'thread.mjs');
      await writeFile(file, text);
      make({ filename: pathToFileURL(file).href, answerTimeout: Infinity });
      const waiting = [1, 2].map((call) => errorOf(threads.run('echo', [call])));
      for (const { message } of await Promise.all(waiting))
        expect(message).to.match(
          end === 'exits' ? /cannot start: the thread ended/ : /cannot start: planted/,
        );
      expect(await checkFails()).to.contain('ended unexpectedly');
      await writeFile(file, 'export default ({ parameters }) => parameters[0]');
      expect(await echo('again')).to.equal('again');
      await rm(folder, { recursive: true });
    });
  }

  /** Makes threads with a module of this text, which `mend` replaces. */
  const makeOf = async (text: string, options: Partial<ThreadsOptions>) => {
    const folder = await mkdtemp(join(tmpdir(), 'weatherd-threads-'));
    const file = join(folder, 'thread.mjs');
    await writeFile(file, text);
    make({ filename: pathToFileURL(file).href, ...options });
    return { mend: () => writeFile(file, ECHO), remove: () => rm(folder, { recursive: true }) };
  };

  it('does not count the time in which a thread starts, also for calls that wait', async () => {
    const slow = `await new Promise((resolve) => setTimeout(resolve, ${LIMIT + 500})); ${ECHO}`;
    const { remove } = await makeOf(slow, { count: 2 });
    expect(await Promise.all(['a', 'b', 'c', 'd'].map(echo))).to.deep.equal(['a', 'b', 'c', 'd']);
    await remove();
  });

  it('counts the limit from the moment at which the thread is ready, also if the first call hangs', async () => {
    make();
    const texts = await Promise.all([threads.run('hang', []), echo('waits')].map(errorOf));
    for (const { message } of texts)
      expect(message).to.equal(
        `a thread of the data file did not answer within ${LIMIT} ms: the machine may be busy, or the disk does not answer`,
      );
  });

  it('fails the calls of a thread that does not start in time, reports it, and works once it is mended', async () => {
    const never = 'await new Promise(() => setInterval(() => undefined, 1000));';
    const { mend, remove } = await makeOf(never, { answerTimeout: START_LIMIT, startTimeout: 300 });
    for (const { message } of await Promise.all(['a', 'b'].map(echo).map(errorOf)))
      expect(message).to.contain('did not start within 300 ms: the machine may be busy');
    expect(await checkFails()).to.equal(
      'a thread of the data file did not start within 300 ms and was replaced',
    );
    await mend();
    const answers = () => echo('again').catch(() => undefined);
    expect(await eventually(answers, (answer) => answer !== undefined)).to.equal('again');
    await remove();
  });

  it('uses a free thread while another is busy', async () => {
    make({ count: 2, answerTimeout: START_LIMIT });
    const { stop, flip } = makeSwitch();
    const working = threads.run('work', [stop]);
    expect(await echo('beside')).to.equal('beside');
    flip();
    expect(await working).to.equal('worked');
  });

  /** @returns id of the thread that works for `threads`, and the file that the call names */
  const who = () =>
    threads.run('who', [], [], START_LIMIT) as Promise<{ readonly threadId: number; readonly file: string }>;

  it('gives a thread to the next owner after it has closed the file, with the file of that owner', async () => {
    make({ file: 'a' });
    const first = await who();
    await threads.close();
    make({ file: 'b', hasLowPriority: true });
    expect((await who()).threadId).not.to.equal(first.threadId);
    make({ file: 'c' });
    expect([first, await who()]).to.deep.equal([
      { threadId: first.threadId, file: 'a' },
      { threadId: first.threadId, file: 'c' },
    ]);
    expect(await checkFails()).to.equal(undefined);
  });

  it('rejects if a thread cannot close the file, and gives none of its threads away', async () => {
    make({ file: 'fails to close' });
    const { threadId } = await who();
    expect(await rejectionOf(threads.close())).to.have.property('message', 'it does not close');
    make();
    expect((await who()).threadId).not.to.equal(threadId);
  });

  it('gives no thread away that is busy, that was destroyed or that has ended', async () => {
    const seen: number[] = [];
    for (const end of [
      () => threads.destroy(),
      () => threads.run('exit', []).catch(() => threads.close()),
      () => {
        threads.run('work', [makeSwitch().stop], [], START_LIMIT).catch(() => undefined);
        return threads.destroy();
      },
    ]) {
      make({ terminate: 'stalled' });
      const { threadId } = await who();
      expect(seen).not.to.include(threadId);
      seen.push(threadId);
      await end();
    }
    make();
    expect(seen).not.to.include((await who()).threadId);
  });

  it('finishes earlier calls before it closes, and refuses later ones', async () => {
    make({ answerTimeout: START_LIMIT });
    const answers = Promise.all([echo('a'), echo('b')]);
    await threads.close();
    expect(await answers).to.deep.equal(['a', 'b']);
    expect(await rejectionOf(echo('c'))).to.have.property('message', 'the data file has been closed');
  });
});
