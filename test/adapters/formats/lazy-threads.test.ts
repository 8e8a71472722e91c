import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { Piscina } from 'piscina';
import sinon from 'sinon';
import { LazyThreads } from '#adapters/formats/lazy-threads.js';
import { ENDS_AT_START } from '../../support/installation.js';
import { domainErrorOf, rejectionOf } from '../../support/rejection.js';

const MODULE = new URL('../../support/lazy-thread.js', import.meta.url);

describe('LazyThreads', () => {
  let threads: LazyThreads;
  let runs: sinon.SinonSpy;
  beforeEach(() => {
    runs = sinon.spy(Piscina.prototype, 'run');
    threads = make();
  });
  afterEach(async () => {
    runs.restore();
    await threads.close();
  });

  const make = (filename = MODULE.href) =>
    new LazyThreads({ filename, maxThreads: 1, idleTimeout: Infinity, probe: 'probe' });
  const pool = () => runs.lastCall.thisValue as Piscina;
  const probes = () => runs.args.filter(([task]) => task === 'probe').length;
  const ENDED = 'A thread has ended or cannot start.';
  const messageOf = async (answer: Promise<unknown>) => ((await rejectionOf(answer)) as Error).message;
  const checkFails = async () => (await domainErrorOf(threads.check(), 'SERVICE_UNAVAILABLE')).message;

  it('start no thread for a check, and send no probe to threads that work', async () => {
    await threads.check();
    expect(runs.callCount).to.equal(0);
    expect(await threads.run('task')).to.equal('task');
    await threads.check();
    expect(runs.callCount).to.equal(1);
  });

  it('replace a thread that ends in a task, so that the tasks behind it are run', async () => {
    const ending = domainErrorOf(threads.run('exit'), 'SERVICE_UNAVAILABLE');
    const waiting = threads.run('waits');
    expect((await ending).cause)
      .to.have.property('message')
      .that.contains('exited with code: 3');
    expect(await waiting).to.equal('waits');
    await threads.check();
    expect(probes()).to.equal(1);
  });

  it('replace a thread that was terminated while it was idle', async () => {
    await threads.run('task');
    await pool().threads[0]?.terminate();
    expect(pool().threads).to.have.length(0);
    await threads.check();
    expect(pool().threads).to.have.length(1);
    expect(await threads.run('task')).to.equal('task');
  });

  it('fail the waiting tasks after an error at the start of a thread, and start another', async () => {
    const waiting = messageOf(threads.run('waits'));
    pool().emit('error', new Error('a thread did not start'));
    expect(await waiting).to.equal(ENDED);
    await threads.check();
    expect(probes()).to.equal(1);
    expect(await threads.run('task')).to.equal('task');
  });

  for (const [end, text] of Object.entries(ENDS_AT_START)) {
    it(`fail all waiting tasks if a module ${end}, without a check, and work once it is mended`, async () => {
      const folder = await mkdtemp(join(tmpdir(), 'weatherd-threads-'));
      const file = join(folder, 'thread.mjs');
      await writeFile(file, text);
      threads = make(pathToFileURL(file).href);
      const answers = await Promise.allSettled([threads.run('a'), threads.run('b'), threads.run('c')]);
      expect(answers.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected', 'rejected']);
      const { cause } = await domainErrorOf(threads.run('d'), 'SERVICE_UNAVAILABLE');
      if (end !== 'exits') expect(cause).to.have.property('message', 'planted');
      expect(await checkFails()).to.equal('A thread has ended and cannot be replaced.');
      await copyFile(fileURLToPath(MODULE), file);
      await threads.check();
      expect(await threads.run('task')).to.equal('task');
      await rm(folder, { recursive: true });
    });
  }

  it('fail the check while a thread cannot be replaced', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'weatherd-threads-'));
    const file = join(folder, 'thread.mjs');
    await copyFile(fileURLToPath(MODULE), file);
    threads = make(pathToFileURL(file).href);
    await threads.run('task');
    await rm(file);
    await pool().threads[0]?.terminate();
    for (let check = 0; check < 2; check += 1)
      expect(await checkFails()).to.equal('A thread has ended and cannot be replaced.');
    await copyFile(fileURLToPath(MODULE), file);
    await threads.check();
    await rm(folder, { recursive: true });
  });

  it('replace a thread that does not answer, and fail its tasks', async () => {
    const hung = messageOf(threads.run('hang'));
    const waiting = messageOf(threads.run('waits'));
    let checks = 1;
    while ((await threads.check().catch((error: Error) => error.message)) === undefined) checks += 1;
    expect(checks).to.be.within(20, 50);
    expect([await hung, await waiting]).to.deep.equal([ENDED, ENDED]);
    await threads.check();
    expect(await threads.run('task')).to.equal('task');
  });

  it('take no task once they are closed', async () => {
    await threads.run('task');
    await threads.close();
    expect(await messageOf(threads.run('task'))).to.equal('The pool of threads has been closed.');
  });
});
