import { cpSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { register } from 'node:module';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';

/*
 * A process that cannot load a driver of SQLite. It runs each command once on new data and once on existing data, and sends the
 * results to its parent.
 */
register(
  `data:text/javascript,${encodeURIComponent(`export const resolve = (name, context, next) => {
    if (name.startsWith('better-sqlite3')) throw new Error('Cannot find package ' + name);
    return next(name, context);
  }`)}`,
);
const { makeProgram } = await import('#adapters/cli/program.js');
const { Terminal } = await import('#adapters/cli/terminal.js');
const { runCommand } = await import('#composition/command.js');

const [folder = ''] = process.argv.slice(2);
const DATA = join(folder, 'data');
const csv = join(folder, 'rows.csv');
writeFileSync(csv, 'time,air_temperature (°C)\n2024-01-01T00:00:00Z,3\n');

/** Values of required arguments and options by their names. */
const VALUES: Readonly<Record<string, string>> = {
  latitude: '1',
  longitude: '1',
  'time-zone': 'UTC',
  variable: 'air_temperature',
  from: '2024-01-01T00:00:00Z',
  to: '2024-01-02T00:00:00Z',
  verdict: 'bad',
  shell: 'bash',
  file: csv,
  key: '1',
};
/** Additional parameters by command. */
const MORE: Readonly<Record<string, readonly string[]>> = {
  import: [csv, '--station', 'x', '--yes'],
  'alarm add': ['--station', 'x', '--below', 'air_temperature=0:°C', '--post', 'https://example.org/x'],
  'alarm set': ['--below', 'air_temperature=0:°C'],
  'hook add': ['--station', 'x', '--post', 'https://example.org/x'],
  'user grant': ['x'],
  'user withdraw': ['x'],
  'session revoke': ['x'],
  'station set': ['--name', 'x'],
  'station remove': ['--yes'],
  'observations remove': ['--yes'],
  'upload map': ['a=air_temperature'],
  retention: ['--dry-run'],
  init: ['ada'],
  backup: ['--force'],
  restore: ['--force'],
  copy: ['--to', `sqlite:${join(folder, 'copy.db')}`, '--data-dir', join(folder, 'copy')],
};

export interface CommandResult {
  readonly command: string;
  readonly data: 'new' | 'existing';
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Whether the data folder exists after the command. */
  readonly hasData: boolean;
}

function argumentsOf(command: Command, path: string): string[] {
  const values = command.registeredArguments
    .filter(({ required }) => required)
    .map((argument) => VALUES[argument.name()] ?? 'x');
  const options = command.options
    .filter(({ mandatory }) => mandatory)
    .flatMap(({ long }) => [long ?? '', VALUES[(long ?? '').slice(2)] ?? 'x']);
  return [...path.split(' '), ...values, ...options, ...(MORE[path] ?? [])];
}

function commandsIn(command: Command, path: string): [Command, string][] {
  if (command.commands.length === 0) return [[command, path]];
  return command.commands.flatMap((one) => commandsIn(one, `${path} ${one.name()}`.trim()));
}

async function run(argv: readonly string[]): Promise<Pick<CommandResult, 'status' | 'stdout' | 'stderr'>> {
  const [output, errors] = [new PassThrough(), new PassThrough()];
  const written = Promise.all([text(output), text(errors)]);
  const terminal = new Terminal(Readable.from([Buffer.from('correct horse battery staple')]), output, errors);
  const settings = { WEATHERD_DATA_DIR: DATA, WEATHERD_EXTERNAL_PORT: '0', WEATHERD_INTERNAL_PORT: '0' };
  const status = (await runCommand(argv, terminal, settings)) ?? 0;
  output.end();
  errors.end();
  const [stdout, stderr] = await written;
  return { status, stdout, stderr };
}

const program = makeProgram({ version: '', dataActions: () => ({}) } as never);
const ended: CommandResult[] = [];
for (const [command, path] of commandsIn(program, '')) {
  for (const data of ['new', 'existing'] as const) {
    rmSync(DATA, { recursive: true, force: true });
    if (data === 'existing') cpSync(join(folder, 'existing'), DATA, { recursive: true });
    const result = await run(argumentsOf(command, path));
    ended.push({ command: path, data, ...result, hasData: existsSync(DATA) });
  }
}
process.send?.(ended, () => process.disconnect());
