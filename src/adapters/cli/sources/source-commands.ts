import { type Command, InvalidArgumentError, Option } from 'commander';
import { AddSource } from '#application/sources/manage/add-source.js';
import { DismissGaps } from '#application/sources/manage/dismiss-gaps.js';
import { FillSource } from '#application/sources/manage/fill-source.js';
import { FindSources, type FoundSource } from '#application/sources/manage/find-sources.js';
import { ListSources } from '#application/sources/manage/list-sources.js';
import { PauseSource } from '#application/sources/manage/pause-source.js';
import { RemoveSource } from '#application/sources/manage/remove-source.js';
import { TestSource } from '#application/sources/manage/test-source.js';
import { withinTime } from '#application/time-limit.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import { DomainError } from '#domain/domain-error.js';
import { MILLISECONDS } from '#domain/time.js';
import type { WithContext } from '../command-context.js';
import { readNamedSecrets } from '../hooks/secret-file.js';
import { parseTimeOption } from '../stations/time-option.js';
import type { Terminal } from '../terminal.js';
import { timeCell } from '../uploads/upload-cells.js';
import { addSourceOptions, settingsOf, type SourceOptions } from './source-options.js';
import { formatFound, formatSources, formatTested, sourcesAsJson } from './source-table.js';

/** Seconds for which `source find` waits for answers. */
const SEARCH_TIME = 5;

const HELP = `
Examples:
  weatherd source add roof --kind weatherlink-live --station GARDEN --address 192.168.1.40
  weatherd source add hub --kind tempest --station GARDEN --device ST-00000512
  weatherd source add cloud --kind weatherlink-cloud --station GARDEN --account 12345 --secret-file davis.key

docs/sources.md has the kinds with their options and secrets.`;

/** Adds the commands `weatherd source add|set|list|test|find|fill|pause|resume|remove`. */
export function addSourceCommands(program: Command, terminal: Terminal, withContext: WithContext): void {
  const source = program
    .command('source')
    .description('ask devices and services for the values of a station');

  addSourceOptions(
    source
      .command('add <name>')
      .description('add a source; it is asked once now, and again and again while the service runs')
      .requiredOption('--kind <kind>', 'the kind of device or service')
      .requiredOption('--station <id>', 'the station that gets the values'),
  )
    .addHelpText('after', HELP)
    .action((name: string, options: SourceOptions & { readonly kind: string; readonly station: string }) =>
      withContext(({ useCase }) =>
        terminal.interruptibly(async (signal) => {
          const { kind, station, every, map = [], secretFile, allowAnyAddress = false } = options;
          const input = {
            name,
            kind,
            station,
            settings: settingsOf(options),
            every: every === undefined || every === 'station' ? null : every,
            mappings: map,
            secrets: secretFile === undefined ? {} : readNamedSecrets(secretFile),
            allowAnyAddress,
          };
          await useCase(AddSource).execute(input, COMMAND_LINE, { mayAllowAnyAddress: true, signal });
          terminal.print(
            `Added the source ${name} for ${station}. "weatherd source list" shows its reports while the service runs.`,
          );
        }),
      ),
    );

  addSourceOptions(
    source
      .command('set <name>')
      .description('change a source; options that are not given stay as they are')
      .option('--station <id>', 'the station that gets the values'),
  ).action((name: string, options: SourceOptions) =>
    withContext(({ useCase }) =>
      terminal.interruptibly(async (signal) => {
        const known = await useCase(ListSources).find(name);
        const { every, map = known.mappings, secretFile } = options;
        const input = {
          name,
          kind: known.kind,
          station: options.station ?? known.station ?? '',
          settings: settingsOf(options, known.settings),
          every: every === undefined ? known.every : every === 'station' ? null : every,
          mappings: map,
          secrets: secretFile === undefined ? undefined : readNamedSecrets(secretFile),
          allowAnyAddress: options.allowAnyAddress ?? known.allowAnyAddress,
        };
        const changing = { replaces: true, mayAllowAnyAddress: true, signal };
        await useCase(AddSource).execute(input, COMMAND_LINE, changing);
        terminal.print(`Changed the source ${name}.`);
      }),
    ),
  );

  source
    .command('list')
    .description('list the sources with their last report, why they are silent, and their gaps')
    .option('--json', 'print JSON')
    .action(({ json = false }: { json?: boolean }) =>
      withContext(async ({ useCase }) => {
        const sources = await useCase(ListSources).execute();
        if (json) terminal.printJson(sourcesAsJson(sources));
        else terminal.print(formatSources(sources));
      }),
    );

  source
    .command('test <name>')
    .description('ask a source once, and print what would be stored; nothing is stored')
    .action((name: string) =>
      withContext(({ useCase }) =>
        terminal.interruptibly(async (signal) => {
          terminal.print(formatTested(await useCase(TestSource).execute(name, signal)));
        }),
      ),
    );

  source
    .command('find')
    .description('look for devices in the local network, and print how to add them')
    .option('--address <host>', 'ask only at this address')
    .option('--seconds <number>', 'time to wait for answers', parseSeconds, SEARCH_TIME)
    .action(({ address, seconds }: { address?: string; seconds: number }) =>
      withContext(({ useCase }) =>
        terminal.interruptibly(async (signal) => {
          let count = 0;
          const print = (device: FoundSource) => {
            count += 1;
            terminal.print(formatFound(device));
          };
          await withinTime(seconds * MILLISECONDS.second, signal, (limit) =>
            useCase(FindSources).execute(address, print, limit),
          );
          signal.throwIfAborted();
          if (count === 0) terminal.print(`No device answered within ${seconds} s.`);
        }),
      ),
    );

  source
    .command('fill <name>')
    .description('ask a source for the past, and store what the station does not have')
    .option('--from <time>', 'from this time on; a date is a day of the station', parseTimeOption)
    .option('--to <time>', 'before this time; a date is the start of that day', parseTimeOption)
    .addOption(
      new Option('--dismiss', 'ask for nothing: take all gaps of the source off its list').conflicts([
        'from',
        'to',
      ]),
    )
    .action((name: string, { from, to, dismiss = false }: FillOptions) =>
      withContext(({ useCase }) =>
        terminal.interruptibly(async (signal) => {
          if (dismiss) {
            const gaps = await useCase(DismissGaps).execute(name, COMMAND_LINE);
            terminal.print(`Dismissed ${gaps} ${gaps === 1 ? 'gap' : 'gaps'} of the source ${name}.`);
            return;
          }
          if (from === undefined || to === undefined)
            throw new DomainError('REQUEST_INVALID', 'Give the span with --from and --to, or --dismiss.');
          const report = (time: number, reports: number) => {
            if (terminal.isInteractive)
              terminal.printError(`Asked up to ${timeCell(time)}: ${reports} reports.`);
          };
          const count = await useCase(FillSource).execute(name, { from, to }, signal, report);
          terminal.print(count === 0 ? 'There was nothing to store.' : `Stored ${count} reports.`);
        }),
      ),
    );

  for (const [word, paused, done] of [
    ['pause', true, 'Paused the source'],
    ['resume', false, 'Resumed the source'],
  ] as const)
    source
      .command(`${word} <name>`)
      .description(paused ? 'do not ask a source until it is resumed' : 'ask a paused source again')
      .action((name: string) =>
        withContext(async ({ useCase }) => {
          await useCase(PauseSource).execute(name, paused, COMMAND_LINE);
          terminal.print(`${done} ${name}.`);
        }),
      );

  source
    .command('remove <name>')
    .description('remove a source with its secrets; the rows that it has stored stay')
    .action((name: string) =>
      withContext(async ({ useCase }) => {
        await useCase(RemoveSource).execute(name, COMMAND_LINE);
        terminal.print(`Removed the source ${name}.`);
      }),
    );
}

/** The options of `source fill`. */
interface FillOptions {
  readonly from?: number | string;
  readonly to?: number | string;
  readonly dismiss?: boolean;
}

function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (!/^\d{1,3}$/.test(text) || seconds < 1 || seconds > 300)
    throw new InvalidArgumentError('It must be a whole number of seconds from 1 to 300.');
  return seconds;
}
