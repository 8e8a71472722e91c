import type { Command } from 'commander';
import { AddHook } from '#application/hooks/manage/add-hook.js';
import { ListHooks } from '#application/hooks/manage/list-hooks.js';
import { PauseHook } from '#application/hooks/manage/pause-hook.js';
import { RemoveHook } from '#application/hooks/manage/remove-hook.js';
import { TestHook } from '#application/hooks/manage/test-hook.js';
import type { RecordedExchange } from '#application/ports/delivery.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import type { HookTarget } from '#domain/hooks/hook-target.js';
import type { WithContext } from '../command-context.js';
import type { Terminal } from '../terminal.js';
import { formatExchanges } from './exchange-text.js';
import { formatHooks, hooksAsJson } from './hook-table.js';
import { readSecretFile } from './secret-file.js';

interface AddOptions {
  readonly station?: readonly string[];
  readonly all?: boolean;
  readonly forecasts?: boolean;
  readonly post?: string;
  readonly upload?: string;
  readonly url?: string;
  readonly account?: string;
  readonly secretFile?: string;
  readonly allowPrivate?: boolean;
}

/** Adds the commands `weatherd hook add|list|test|pause|resume|remove`. */
export function addHookCommands(program: Command, terminal: Terminal, withContext: WithContext): void {
  const hook = program
    .command('hook')
    .description('forward new observations to a URL, a program or a weather service');

  hook
    .command('add <name> [command...]')
    .usage('<name> [options] | <name> [options] -- <program> [argument...]')
    .description(
      'create a hook; it sends the rows of its stations that are written from now on, each row at least once',
    )
    .option('--station <id...>', 'the stations whose rows are sent')
    .option('--all', 'send the rows of all stations')
    .option('--forecasts', 'send new forecasts of the stations too, to a URL or a program')
    .option('--post <url>', 'post each row to this URL as JSON')
    .option('--upload <service>', 'send the newest row to a weather service, for example wunderground')
    .option('--account <id>', 'with --upload: id of the station at the service')
    .option(
      '--url <url>',
      'with --upload: another address that uses the protocol of the service; without a path, the path of the service is used',
    )
    .option(
      '--secret-file <file>',
      'file with the secret that signs the messages; with --upload: file with the password of the account',
    )
    .option('--allow-private', 'allow an address of a private network or of this machine')
    .action((name: string, command: readonly string[], options: AddOptions) =>
      withContext(async ({ useCase }) => {
        const target = targetOf(command, options);
        const input = { name, target, stations: stationsOf(options), forecasts: options.forecasts === true };
        const made = await useCase(AddHook).execute(input, COMMAND_LINE);
        terminal.print(
          `Created the hook ${name} to ${made.target}. "weatherd hook test ${name}" sends a test message.`,
        );
      }),
    );

  hook
    .command('list')
    .description('list the hooks and the outcomes of their messages, without secrets')
    .option('--json', 'print JSON')
    .action(({ json = false }: { json?: boolean }) =>
      withContext(async ({ useCase }) => {
        const hooks = await useCase(ListHooks).execute();
        if (json) terminal.printJson(hooksAsJson(hooks));
        else terminal.print(formatHooks(hooks));
      }),
    );

  hook
    .command('test <name>')
    .description('send one message to the target now, and print the request without secrets and the reply')
    .action((name: string) =>
      withContext(async ({ useCase }) => {
        const exchanges: RecordedExchange[] = [];
        const outcome = await useCase(TestHook).execute(name, (exchange) => void exchanges.push(exchange));
        if (exchanges.length > 0) terminal.print(formatExchanges(exchanges));
        if (outcome !== 'delivered')
          throw new Error(`The target did not accept the message: ${outcome.failed}`);
        terminal.print('The target accepted the message.');
      }),
    );

  for (const [word, paused, done] of [
    ['pause', true, 'Paused the hook'],
    ['resume', false, 'Resumed the hook'],
  ] as const)
    hook
      .command(`${word} <name>`)
      .description(
        paused
          ? 'send nothing until the hook is resumed; the rows of the pause are sent then'
          : 'send the rows that were written during the pause, and all later rows',
      )
      .action((name: string) =>
        withContext(async ({ useCase }) => {
          await useCase(PauseHook).execute(name, paused, COMMAND_LINE);
          terminal.print(`${done} ${name}.`);
        }),
      );

  hook
    .command('remove <name>')
    .description('remove a hook; rows that were not sent so far are not sent')
    .action((name: string) =>
      withContext(async ({ useCase }) => {
        await useCase(RemoveHook).execute(name, COMMAND_LINE);
        terminal.print(`Removed the hook ${name}.`);
      }),
    );
}

function stationsOf({ station, all = false }: AddOptions): readonly string[] | null {
  if (all === (station !== undefined))
    throw new Error('Give the stations with --station, or --all for all stations.');
  return station ?? null;
}

function targetOf(command: readonly string[], options: AddOptions): HookTarget {
  const { post, upload, url, account, secretFile, allowPrivate = false } = options;
  const kinds = [command.length > 0, post !== undefined, upload !== undefined];
  if (kinds.filter(Boolean).length !== 1)
    throw new Error('Give exactly one target: --post <url>, --upload <service>, or -- <program>.');
  if (upload === undefined && (account !== undefined || url !== undefined))
    throw new Error('--account and --url require --upload.');
  if (post !== undefined)
    return {
      kind: 'post',
      url: post,
      allowPrivate,
      ...(secretFile !== undefined && { secret: readSecretFile(secretFile) }),
    };
  if (upload !== undefined)
    return {
      kind: 'service',
      service: upload,
      ...(account !== undefined && { account }),
      ...(secretFile !== undefined && { secret: readSecretFile(secretFile) }),
      ...(url !== undefined && { url }),
      allowPrivate,
    };
  if (secretFile !== undefined || allowPrivate)
    throw new Error('--secret-file and --allow-private cannot be used with a program.');
  return { kind: 'command', command };
}
