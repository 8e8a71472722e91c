import { expect } from 'chai';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandDelivery } from '#adapters/delivery-command/command-delivery.js';
import type { Message } from '#application/ports/delivery.js';

const MESSAGE: Message = {
  event: 'alarm',
  id: 'id-1',
  body: '{"a":1}',
  facts: { station: 'JFK; rm -rf $HOME', text: 'a\0b' },
};

describe('Commands of hooks', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'weatherd-command-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  const run = (
    script: string,
    { timeout = 30_000, signal = new AbortController().signal, message = MESSAGE } = {},
  ) =>
    new CommandDelivery(timeout).send(
      { kind: 'command', command: ['/bin/sh', '-c', script, 'sh', '$(id)'] },
      message,
      signal,
    );
  const written = () => readFileSync(join(folder, 'out'), 'utf8');

  it('gives the message on standard input, the facts as variables, and nothing of the service', async () => {
    process.env['WEATHERD_INTERNAL_SECRET'] = 'a secret';
    try {
      expect(await run(`{ cat; echo; echo "$1"; env | grep -v ^_= | sort; } > ${folder}/out`)).to.equal(
        'delivered',
      );
    } finally {
      delete process.env['WEATHERD_INTERNAL_SECRET'];
    }
    const [body, argument, ...variables] = written().trim().split('\n');
    expect([body, argument]).to.deep.equal(['{"a":1}', '$(id)']);
    expect(variables.filter((line) => !/^(?:PWD|SHLVL|OLDPWD)=/.test(line))).to.deep.equal([
      'LANG=C.UTF-8',
      'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      'WEATHERD_EVENT=alarm',
      'WEATHERD_EVENT_ID=id-1',
      'WEATHERD_STATION=JFK; rm -rf $HOME',
      'WEATHERD_TEXT=ab',
    ]);
  });

  it('reports the status and the first line of the error output', async () => {
    const outcome = await run('echo "no\x07 network" >&2; echo more >&2; exit 3');
    expect(outcome).to.deep.equal({ failed: 'The command ended with status 3: "no\\u0007 network".' });
    expect(await run('kill -9 $$')).to.deep.equal({ failed: 'The command was ended by SIGKILL.' });
  });

  it('reports a program that cannot be started', async () => {
    const start = (program: string) =>
      new CommandDelivery().send(
        { kind: 'command', command: [program] },
        MESSAGE,
        new AbortController().signal,
      );
    expect(await start(join(folder, 'none'))).to.deep.equal({
      failed: 'The command could not be started: the program does not exist.',
    });
    expect(await start(folder)).to.deep.equal({
      failed: 'The command could not be started: the user of the service may not run the program.',
    });
  });

  it('takes a command that does not read its input', async () => {
    const message = { ...MESSAGE, body: 'a'.repeat(1_000_000) };
    expect(await run('exec true', { message })).to.equal('delivered');
  });

  const child = () => `sh -c 'trap "" TERM; echo $$ > ${folder}/out; exec sleep 300' & wait`;
  const childIsGone = async () => {
    // A command that is killed early has started nothing.
    const pid = existsSync(join(folder, 'out')) ? Number(written()) : 0;
    // A killed process is there until its parent has asked for its status.
    const isThere = () =>
      existsSync(`/proc/${pid}/stat`) && !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    while (isThere()) await new Promise((resolve) => setImmediate(resolve));
  };

  it('kills a command that takes too long, with all that it has started', async () => {
    expect(await run(child(), { timeout: 500 })).to.deep.equal({
      failed: 'The command ran for more than 0.5 s.',
    });
    await childIsGone();
  });

  it('kills what a command leaves behind', async () => {
    const outcome = await run(
      `sh -c 'echo $$ > ${folder}/out; exec sleep 300' & while ! [ -s ${folder}/out ]; do :; done`,
    );
    expect(outcome).to.equal('delivered');
    await childIsGone();
  });

  it('kills a command when the service stops, and starts none then', async () => {
    const stopping = new AbortController();
    const outcome = run(child(), { signal: stopping.signal });
    while (!existsSync(join(folder, 'out')) || written() === '')
      await new Promise((resolve) => setImmediate(resolve));
    stopping.abort();
    expect(await outcome).to.deep.equal({ failed: 'The service stops.' });
    await childIsGone();
    rmSync(join(folder, 'out'));
    expect(await run(child(), { signal: stopping.signal })).to.deep.equal({ failed: 'The service stops.' });
    expect(existsSync(join(folder, 'out'))).to.equal(false);
  });
});
