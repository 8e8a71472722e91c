import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import type { Command } from 'commander';
import { makeProgram } from '#adapters/cli/program.js';
import { Terminal } from '#adapters/cli/terminal.js';
import { runCommand } from '#composition/command.js';
import { UNIT_SYSTEMS } from '#domain/weather/units.js';
import { VARIABLES } from '#domain/weather/variables.js';

interface Leaf {
  readonly path: readonly string[];
  readonly command: Command;
}

function leavesOf(command: Command, path: readonly string[] = []): readonly Leaf[] {
  if (command.commands.length === 0) return [{ path, command }];
  return command.commands.flatMap((one) => leavesOf(one, [...path, one.name()]));
}

const silent = new Terminal(Readable.from([]), new PassThrough(), new PassThrough());
const program = makeProgram({ terminal: silent, version: '1', dataActions: () => ({}) } as never);
const leaves = leavesOf(program);

/** Commands that need no data, or may make them. */
const WITHOUT_DATA = new Set([
  'serve',
  'config',
  'doctor',
  'init',
  'restore',
  'demo',
  'variables',
  'units',
  'completion',
]);

/** The identifier of a key may begin with a dash. */
const TAKES_ANYTHING = 'keys retire';

/** Values that commands accept, by the name of the option or argument. */
const VALUES: Readonly<Record<string, string>> = {
  latitude: '1',
  longitude: '2',
  'time-zone': 'UTC',
  station: 'garden',
  from: '2024-01-01T00:00:00Z',
  to: '2024-01-02T00:00:00Z',
  variable: 'air_temperature',
  variables: 'air_temperature',
  make: 'Ecowitt',
  number: '1',
  key: '1',
  username: 'ada',
  fields: 'temp=air_temperature:°F',
};

/** What commands require beyond that. */
const FURTHER: Readonly<Record<string, readonly string[]>> = {
  'user grant': ['garden'],
  'user withdraw': ['garden'],
  'session revoke': ['--user', 'ada'],
  'station set': ['--name', 'Garden'],
  'station remove': ['--yes'],
  'observations remove': ['--yes'],
  retention: ['--yes'],
  import: ['garden.csv'],
  'upload map': ['temp=air_temperature:°F'],
  copy: ['--to', 'postgres://localhost/weatherd'],
};

/** A command line with everything that the command requires. */
function lineOf({ path, command }: Leaf, folder: string): string[] {
  const parameters = command.registeredArguments
    .filter((argument) => argument.required)
    .map((argument) => argument.argChoices?.[0] ?? VALUES[argument.name()] ?? join(folder, 'garden.csv'));
  const options = command.options.flatMap(({ mandatory, long, argChoices }) =>
    mandatory ? [long ?? '', argChoices?.[0] ?? VALUES[long?.slice(2) ?? ''] ?? 'x'] : [],
  );
  return [...path, ...parameters, ...options, ...(FURTHER[path.join(' ')] ?? [])];
}

describe('the commands', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'weatherd-commands-'));
    await writeFile(join(folder, 'garden.csv'), 'time,air_temperature\n2024-01-01T00:00:00Z,1\n');
  });
  afterEach(() => rm(folder, { recursive: true }));

  const run = async (argv: readonly string[], settings: Readonly<Record<string, string>> = {}) => {
    const [output, errors] = [new PassThrough(), new PassThrough()];
    const written = Promise.all([text(output), text(errors)]);
    const terminal = new Terminal(Readable.from([Buffer.from('correct horse battery\n')]), output, errors);
    const environment = { WEATHERD_DATA_DIR: join(folder, 'data'), ...settings };
    const status = await runCommand(argv, terminal, environment);
    output.end();
    errors.end();
    const [stdout, stderr] = await written;
    return { status: status ?? 0, stdout, stderr };
  };

  it('say where they looked when there are no data, and create nothing', async () => {
    const needing = leaves.filter(({ path }) => !WITHOUT_DATA.has(path.join(' ')));
    expect(needing.length).to.be.greaterThan(30);
    for (const leaf of needing) {
      const line = lineOf(leaf, folder);
      const { status, stdout, stderr } = await run(line);
      expect([status, stdout], `${line.join(' ')}: ${stderr}`).to.deep.equal([1, '']);
      expect(stderr, line.join(' ')).to.contain('WEATHERD_DATA_DIR');
      expect(await readdir(folder), line.join(' ')).to.deep.equal(['garden.csv']);
    }
  });

  it('say so when a folder without data is named, and create nothing there', async () => {
    const data = join(folder, 'data');
    await mkdir(data);
    for (const path of [['user', 'list'], ['station', 'list'], ['check']]) {
      const { status, stderr } = await run(path);
      expect([status, await readdir(data)], path.join(' ')).to.deep.equal([1, []]);
      expect(stderr).to.contain(data).and.contain('weatherd init');
    }
  });

  it('name the command that shows their usage when they are used wrongly', async () => {
    for (const leaf of leaves.filter(({ path }) => path.join(' ') !== TAKES_ANYTHING)) {
      const { path } = leaf;
      const { status, stdout, stderr } = await run([...lineOf(leaf, folder), '--no-such-option']);
      expect([status, stdout], path.join(' ')).to.deep.equal([2, '']);
      expect(stderr)
        .to.contain('--no-such-option')
        .and.contain(`("weatherd ${path.join(' ')} --help" shows the usage)`);
    }
  });

  it('mark each option that they require', async () => {
    for (const { path, command } of leaves) {
      const { stdout } = await run([...path, '--help']);
      const required = command.options.filter((option) => option.mandatory).length;
      expect(stdout.split('(required)').length - 1, path.join(' ')).to.equal(required);
    }
  });

  describe('variables and units', () => {
    it('list the catalogue as a table and as JSON, without data', async () => {
      const variables = await run(['variables']);
      expect(variables.status).to.equal(0);
      expect(variables.stdout.trim().split('\n')).to.have.length(VARIABLES.length + 1);
      expect(variables.stdout).to.match(/^precipitation_amount +mm +0 +40 a minute +sum$/m);
      const json = JSON.parse((await run(['variables', '--json'])).stdout) as { name: string }[];
      expect(json.map(({ name }) => name)).to.deep.equal(VARIABLES.map(({ name }) => name));
    });

    it('list the units of each system, and those in which values can be sent', async () => {
      const { stdout } = await run(['units']);
      expect(stdout).to.match(/^air_temperature +°C +°F +K +°C, °F, K$/m);
      expect(stdout.split('\n')[0]).to.match(
        new RegExp(`^variable +${UNIT_SYSTEMS.join(' +')} +can be sent in$`),
      );
      const json = JSON.parse((await run(['units', '--json'])).stdout) as Record<string, unknown>[];
      expect(json.find(({ name }) => name === 'wind_speed')).to.deep.equal({
        name: 'wind_speed',
        metric: 'm/s',
        imperial: 'mph',
        si: 'm/s',
        units: ['m/s', 'km/h', 'mph', 'kt'],
      });
    });
  });

  describe('completion', () => {
    /** What bash offers after these words, the last of which is incomplete. */
    const offered = async (words: readonly string[]) => {
      const { stdout } = await run(['completion', 'bash']);
      const line = `${stdout}
COMP_WORDS=(${['weatherd', ...words].map((word) => `'${word}'`).join(' ')})
COMP_CWORD=${words.length}
_weatherd
printf '%s\\n' "\${COMPREPLY[@]}"`;
      return execFileSync('bash', ['-c', line], { encoding: 'utf8' }).trim().split('\n');
    };

    it('offers bash the commands and options at each place', async () => {
      expect(await offered(['sta'])).to.deep.equal(['station']);
      expect(await offered(['station', 'l'])).to.deep.equal(['list']);
      expect(await offered(['--config', 'x.json', 'user', 'a'])).to.deep.equal(['add']);
      expect(await offered(['export', '--sta'])).to.deep.equal(['--station']);
      expect(await offered(['export', '--station', 'list', '--fro'])).to.deep.equal(['--from']);
      expect(await offered(['export', 'x'])).to.deep.equal(['']);
    });

    it('knows every command and option, in each shell', async () => {
      for (const shell of ['bash', 'zsh', 'fish']) {
        const { status, stdout } = await run(['completion', shell]);
        expect(status).to.equal(0);
        for (const { path, command } of leaves) {
          expect(stdout, `${shell} ${path.join(' ')}`).to.contain(`'${path.join(' ')}'`);
          for (const { long } of command.options.filter(({ hidden }) => !hidden))
            expect(stdout).to.contain(shell === 'fish' ? ` -l ${long?.slice(2)}` : long);
        }
      }
      const unknown = await run(['completion', 'tcsh']);
      expect([unknown.status, unknown.stdout]).to.deep.equal([2, '']);
      expect(unknown.stderr).to.contain('bash, zsh, fish');
    });
  });
});
