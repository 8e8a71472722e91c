import type { Command } from 'commander';
import { DomainError } from '#domain/domain-error.js';
import type { HookTarget } from '#domain/hooks/hook-target.js';
import { readSecretFile } from '../hooks/secret-file.js';

/** Options of the target of messages. */
export interface TargetOptions {
  readonly post?: string;
  readonly to?: string;
  readonly account?: string;
  readonly url?: string;
  readonly secretFile?: string;
  readonly allowPrivate?: boolean;
}

export function addTargetOptions(command: Command): Command {
  return command
    .option('--post <url>', 'post messages as JSON to this URL')
    .option('--to <service>', 'send messages for people to this service')
    .option('--account <id>', 'with --to: the user or the receiver at the service')
    .option('--url <url>', 'with --to: address in place of the address of the service')
    .option(
      '--secret-file <file>',
      'file with the secret that signs the posted messages; with --to: file with the password or token',
    )
    .option('--allow-private', 'allow a URL in a private network or on this machine');
}

/** Whether an option of a target is set. */
export function namesTarget(
  command: readonly string[],
  { post, to, account, url, secretFile, allowPrivate }: TargetOptions,
): boolean {
  const options = [post, to, account, url, secretFile, allowPrivate];
  return command.length > 0 || options.some((option) => option !== undefined);
}

/**
 * The target that the options describe: the URL to which messages are posted, a service for people, or the program that is started for
 * each message.
 *
 * @param command the full path of a program and its arguments; empty without a program
 * @returns null if no target is set
 * @throws DomainError REQUEST_INVALID if options exclude each other; Error if the file of the secret cannot be read
 */
export function targetOf(
  command: readonly string[],
  { post, to, account, url, secretFile, allowPrivate = false }: TargetOptions,
): HookTarget | null {
  const isCommand = command.length > 0;
  if ([post !== undefined, to !== undefined, isCommand].filter(Boolean).length > 1)
    throw invalid('Give only one target: --post, --to or a program.');
  if (to === undefined && (account !== undefined || url !== undefined))
    throw invalid('--account and --url require --to.');
  if (post === undefined && to === undefined && (secretFile !== undefined || allowPrivate))
    throw invalid('--secret-file and --allow-private require --post or --to.');
  if (isCommand) return { kind: 'command', command };
  const secret = secretFile === undefined ? {} : { secret: readSecretFile(secretFile) };
  if (post !== undefined) return { kind: 'post', url: post, allowPrivate, ...secret };
  if (to === undefined) return null;
  return {
    kind: 'service',
    service: to,
    ...(account !== undefined && { account }),
    ...secret,
    ...(url !== undefined && { url }),
    allowPrivate,
  };
}

function invalid(message: string): DomainError {
  return new DomainError('REQUEST_INVALID', message);
}
