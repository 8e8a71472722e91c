import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { Terminal } from '#adapters/cli/terminal.js';
import { MAIN, Workplace } from '../../support/process.js';
import { STATION } from '../../support/weather-world.js';

describe('what a command prints where it cannot be written', () => {
  let place: Workplace;
  beforeEach(async () => {
    place = await Workplace.make();
    await place.makeData({}, [STATION]);
  });
  afterEach(() => place.remove());

  /** Runs a line of bash in which `weatherd` is a command, so that pipes can be tested. */
  const bash = (line: string): SpawnSyncReturns<string> =>
    spawnSync('bash', ['-c', `weatherd() { "${process.execPath}" "${MAIN}" "$@"; }; ${line}`], {
      cwd: place.folder,
      encoding: 'utf8',
    });

  it('is dropped if nobody reads standard error, and an import continues to its end', async () => {
    const good = Array.from({ length: 25_000 }, (_, row) => `${1_300_000_000 + row * 60},5\n`);
    const bad = Array.from({ length: 500 }, () => 'never,5\n');
    const file = join(place.folder, 'rows.csv');
    await writeFile(file, ['time,air_temperature\n', ...bad, ...good, ...bad].join(''));
    const options = `--station ${STATION.id} --time-format unix`;
    const { stdout, stderr } = bash(
      `weatherd import rows.csv ${options} 2>&1 | sed -n '/still being opened/!{p;q}'; echo "status \${PIPESTATUS[0]}"`,
    );
    expect(stdout).to.match(/^rows\.csv: table with 2 columns\nstatus 0\n$/);
    expect(stderr).to.equal('');
    expect((await place.run(['station', 'show', STATION.id])).stdout).to.match(/^observations +25000$/m);
  });

  const withFullDevice = existsSync('/dev/full') ? it : it.skip;

  withFullDevice('fails with one line where the device is full, and what was changed stays', async () => {
    for (const [command, changed] of [
      ['--help', ''],
      ['--version', ''],
      ['config', ''],
      ['user list', ''],
      [`export --station ${STATION.id}`, ''],
      [`station set ${STATION.id} --name Kennedy`, `Changed the data in data/weatherd.db\n`],
    ] as const) {
      const { status, stderr: printed } = bash(`weatherd ${command} > /dev/full`);
      // On a busy machine a command rightly says that it still opens the data.
      const stderr = printed.replaceAll(/^weatherd: the data are still being opened, after \d+ s\.\n/gm, '');
      expect(status, command).to.equal(1);
      const [lines, fault] = [stderr.replace(`${place.folder}/`, ''), stderr.trim().split('\n').at(-1)];
      expect(lines.startsWith(changed), stderr).to.equal(true);
      expect(lines.trim().split('\n'), stderr).to.have.length(changed === '' ? 1 : 2);
      expect(fault).to.match(/^weatherd: .*the disk is full/);
    }
    expect((await place.run(['station', 'show', STATION.id])).stdout).to.contain('Kennedy');
    expect(bash('weatherd user promote nobody 2> /dev/full').status).to.equal(1);
    expect(bash('weatherd keys rotate 2> /dev/full').status).to.equal(0);
  });
});

describe('a command that a text names', () => {
  it('begins with the words that start this program', async () => {
    const errors = new PassThrough();
    const written = text(errors);
    const terminal = new Terminal(Readable.from([]), errors, errors, undefined, "node '/$& b/weatherd.mjs'");
    terminal.print('weatherd: "weatherd user list" or `weatherd\nuser`; "weatherd", a weatherd user');
    terminal.printJson({ note: 'weatherd user list' });
    terminal.printError('"weatherd imports" and "weatherd --help" show more.');
    errors.end();
    expect(await written).to.equal(
      `weatherd: "node '/$& b/weatherd.mjs' user list" or \`node '/$& b/weatherd.mjs'\nuser\`; "weatherd", a weatherd user\n` +
        `{\n  "note": "weatherd user list"\n}\n"node '/$& b/weatherd.mjs' imports" and "node '/$& b/weatherd.mjs' --help" show more.\n`,
    );
  });

  it('begins with weatherd if the program was started by this name', async () => {
    const place = await Workplace.make();
    try {
      const link = join(place.folder, 'weatherd');
      await symlink(MAIN, link);
      const { stderr } = spawnSync(link, ['user', 'list'], { cwd: place.folder, encoding: 'utf8' });
      expect(stderr).to.contain('"weatherd init" creates new data.\n');
    } finally {
      await place.remove();
    }
  });
});

describe('the help of the command line', () => {
  it('marks required options once, and shows no meaningless default, for every command', async () => {
    const place = await Workplace.make();
    const marks = new Map<string, number>();
    const visit = async (path: readonly string[]): Promise<void> => {
      const { stdout, status } = await place.run([...path, '--help']);
      expect(status, path.join(' ')).to.equal(0);
      expect(stdout).not.to.match(/\(required\)\s+\(required\)|\(default: (?:\{\}|\[\]|undefined|null)\)/);
      marks.set(path.join(' '), stdout.match(/\(required\)/g)?.length ?? 0);
      const commands = stdout.split(/^Commands:$/m)[1] ?? '';
      for (const [, name = ''] of commands.matchAll(/^ {2}([a-z-]+)/gm)) {
        if (name !== 'help') await visit([...path, name]);
      }
    };
    try {
      await visit([]);
    } finally {
      await place.remove();
    }
    expect(marks.size).to.be.greaterThan(30);
    expect(marks.get('station add')).to.equal(3);
  });
});
