import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'chai';
import { isJournal } from '#composition/config.js';
import { eventually, MAIN, type Served, Workplace } from '../support/process.js';

const LINK = /http\S+\/setup#code=(\S+)/;

describe('the code for the first administrator', () => {
  let place: Workplace;
  beforeEach(async () => (place = await Workplace.make()));
  afterEach(() => place.remove());

  const make = async ({ external }: Served, code: string, username: string) => {
    const reply = await fetch(`${external}/v1/setup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', connection: 'close' },
      body: JSON.stringify({ code, username, password: 'correct horse' }),
    });
    return reply.status;
  };
  const pageOf = async ({ external }: Served, path: string) =>
    (await fetch(`${external}${path}`, { headers: { accept: 'text/html' } })).text();

  it('creates one administrator through several worker processes, and is in no log and no command line', async () => {
    const served = await place.serve({ WEATHERD_WORKERS: '2' });
    const [address = '', code = ''] = LINK.exec(served.greeting) ?? [];
    expect(address.startsWith(`${served.external}/setup#`)).to.equal(true);
    expect(await pageOf(served, '/')).to.contain('href="/setup"');
    expect(await pageOf(served, '/setup'))
      .to.contain('name="password"')
      .and.not.contain(code);
    expect(await make(served, 'wrong', 'eve')).to.equal(403);
    const made = await Promise.all(
      Array.from({ length: 8 }, (_, index) => make(served, code, `user${index}`)),
    );
    expect(made.filter((status) => status === 201)).to.have.length(1);
    for (const status of made) expect(status).to.be.oneOf([201, 409, 410]);
    for (let worker = 0; worker < 4; worker += 1) {
      expect(await pageOf(served, '/')).not.to.contain('href="/setup"');
      expect(await pageOf(served, '/setup')).not.to.contain('name="password"');
    }
    expect(readFileSync(`/proc/${served.child.pid}/cmdline`, 'utf8')).not.to.contain(code);
    served.child.kill('SIGTERM');
    await served.ended;
    expect(await served.log())
      .to.contain('/v1/setup')
      .and.not.contain(code);
  });

  it('is made at no start of a service that has an administrator', async () => {
    await place.makeData();
    await place.run(['user', 'add', 'ada', '--administrator'], 'correct horse');
    const served = await place.serve({ WEATHERD_DATA_DIR: place.dataDir });
    expect(served.greeting).not.to.match(/setup|administrator/);
    expect(await make(served, 'wrong', 'eve')).to.equal(409);
  });

  it('is not written to a file, where a command takes its place', async () => {
    const file = join(place.folder, 'log');
    const output = openSync(file, 'w');
    const settings = { WEATHERD_EXTERNAL_PORT: '0', WEATHERD_INTERNAL_PORT: '0' };
    const child = spawn(process.execPath, [MAIN], {
      cwd: place.folder,
      env: { PATH: process.env['PATH'], ...settings },
      stdio: ['ignore', 'ignore', output],
    });
    closeSync(output);
    const greeting = await eventually(
      () => Promise.resolve(readFileSync(file, 'utf8')),
      (text) => text.includes('Try next'),
    );
    child.kill('SIGKILL');
    expect(greeting).not.to.contain('setup');
    expect(greeting).to.match(/no administrator.*\n.*user add ada --administrator\n/);
  });

  it('is not written to the journal of systemd', () => {
    const stream = fstatSync(1);
    const { dev, ino } = stream;
    expect(isJournal(stream, { JOURNAL_STREAM: `${dev}:${ino}` })).to.equal(true);
    // A terminal of a desktop inherits the variable of the desktop, whose stream is another one.
    expect(isJournal(stream, { JOURNAL_STREAM: `${dev}:${ino + 1}` })).to.equal(false);
    expect(isJournal(stream, {})).to.equal(false);
  });
});
