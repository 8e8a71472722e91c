import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { runCommand } from '#composition/command.js';
import { DRIVERS, Installation } from '../../support/installation.js';
import { Workplace } from '../../support/process.js';
import type { CommandResult } from '../../support/run-all-commands.js';

const PASSWORD = 'correct horse battery staple';
const MISSING_TEXT = /No driver of SQLite could be loaded|already contains data/;
const MISSING = /^weatherd: .*No driver of SQLite could be loaded: install weatherd again .*\n$/;
const FOREIGN = /^weatherd: .*was installed under another version of Node\.js .*: install it again; .*\n$/;

/** Drivers that do not load, by what is in their package. */
const BROKEN: readonly (readonly [string, string | undefined, RegExp])[] = [
  ['missing', undefined, MISSING],
  ['without its native part', "throw new Error('Could not locate the bindings file')", MISSING],
  [
    'of another Node.js',
    "module.exports = class { constructor() { throw new Error('NODE_MODULE_VERSION 1') } }",
    FOREIGN,
  ],
];

/** Commands that use no data. */
const WITHOUT_DATA = new Set(['config', 'variables', 'units', 'completion']);

describe('every command without a driver of SQLite', () => {
  let place: Workplace;
  let ended: readonly CommandResult[] = [];
  before(async () => {
    place = await Workplace.make();
    await place.makeData();
    await rename(place.dataDir, join(place.folder, 'existing'));
    const script = new URL('../../support/run-all-commands.js', import.meta.url);
    const child = fork(script, [place.folder], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    child.once('message', (message) => (ended = message as readonly CommandResult[]));
    await once(child, 'close');
  });
  after(() => place.remove());

  it('says on existing data what to do', () => {
    const existing = ended.filter(({ command, data }) => data === 'existing' && !WITHOUT_DATA.has(command));
    expect(existing.length).to.be.above(50);
    const silent = existing.filter(
      ({ status, stdout, stderr }) => status !== 1 || !MISSING_TEXT.test(`${stdout}${stderr}`),
    );
    expect(silent).to.deep.equal([]);
  });

  it('fails on new data in one line, and makes no folder', () => {
    const fresh = ended.filter(({ command, data }) => data === 'new' && !WITHOUT_DATA.has(command));
    const wrong = fresh.filter(({ command, status, stdout, stderr, hasData }) => {
      const isOneLine = command === 'doctor' ? MISSING_TEXT.test(stdout) : /^weatherd: .+\n$/.test(stderr);
      return status !== 1 || hasData || !isOneLine;
    });
    expect(wrong).to.deep.equal([]);
  });

  it('is not needed where no data are used', () => {
    const found = ended.filter(({ command }) => WITHOUT_DATA.has(command));
    expect(found.map(({ status }) => status)).to.deep.equal(found.map(() => 0));
  });
});

describe('an installation without a driver of SQLite', () => {
  for (const [what, text, message] of BROKEN) {
    describe(`that is ${what}`, () => {
      let installation: Installation;
      let command: typeof runCommand;
      let place: Workplace;
      before(async () => {
        installation = await Installation.make(DRIVERS);
        if (text !== undefined) for (const name of DRIVERS) await installation.addPackage(name, text);
        command = await installation.loadCommand();
      });
      after(() => installation.remove());
      beforeEach(async () => (place = await Workplace.make(installation.main, command)));
      afterEach(() => place.remove());

      for (const parameters of [['serve'], ['init', 'ada'], ['demo']]) {
        it(`fails with what to do, and leaves no folder: ${parameters.join(' ')}`, async () => {
          const { status, stderr } = await place.run(parameters, PASSWORD);
          expect(stderr).to.match(message);
          expect(status).to.equal(1);
          expect(existsSync(place.dataDir)).to.equal(false);
        });
      }

      it('fails with what to do, and leaves the data as they are', async () => {
        await place.makeData();
        const files = await readdir(place.dataDir, { recursive: true });
        for (const { status, stderr } of [
          // The ways in which a driver does not load differ in the text alone, so that one process shows that it ends.
          await (text === undefined ? place.runProcess(['serve']) : place.run(['serve'])),
          await place.run(['station', 'list']),
        ])
          expect([status, message.test(stderr)], stderr).to.deep.equal([1, true]);
        expect(await readdir(place.dataDir, { recursive: true })).to.have.members(files);
      });
    });
  }
});
