import type { Command } from 'commander';
import { DomainError } from '#domain/domain-error.js';
import type { CommandTarget, PostTarget } from '#domain/hooks/hook-target.js';
import { readSecretFile } from '../hooks/secret-file.js';

/** Options of the target of messages. */
export interface TargetOptions {
  readonly post?: string;
  readonly secretFile?: string;
  readonly allowPrivate?: boolean;
}

export function addTargetOptions(command: Command): Command {
  return command
    .option('--post <url>', 'post messages as JSON to this URL')
    .option('--secret-file <file>', 'file with the secret that signs the posted messages')
    .option('--allow-private', 'allow a URL in a private network or on this machine');
}

/** Whether an option of a target is set. */
export function namesTarget(
  command: readonly string[],
  { post, secretFile, allowPrivate }: TargetOptions,
): boolean {
  return command.length > 0 || [post, secretFile, allowPrivate].some((option) => option !== undefined);
}

/**
 * The target that the options describe: the URL to which messages are posted, or the program that is started for each message.
 *
 * @param command the full path of a program and its arguments; empty without a program
 * @returns null if no target is set
 * @throws DomainError REQUEST_INVALID if options exclude each other; Error if the file of the secret cannot be read
 */
export function targetOf(
  command: readonly string[],
  { post, secretFile, allowPrivate }: TargetOptions,
): PostTarget | CommandTarget | null {
  const isCommand = command.length > 0;
  if (post !== undefined && isCommand) throw invalid('Give either --post or a program, not both.');
  if (post === undefined && (secretFile !== undefined || allowPrivate === true))
    throw invalid('--secret-file and --allow-private require --post.');
  if (isCommand) return { kind: 'command', command };
  if (post === undefined) return null;
  const secret = secretFile === undefined ? {} : { secret: readSecretFile(secretFile) };
  return { kind: 'post', url: post, allowPrivate: allowPrivate ?? false, ...secret };
}

function invalid(message: string): DomainError {
  return new DomainError('REQUEST_INVALID', message);
}
