import type { Command } from 'commander';
import { DomainError } from '#domain/domain-error.js';
import type { HookTarget, ServiceTarget } from '#domain/hooks/hook-target.js';
import { readSecretFile, readSmallFile } from '../hooks/secret-file.js';

/** Options of the target of messages. */
export interface TargetOptions {
  readonly post?: string;
  readonly bodyTemplate?: string;
  readonly to?: string;
  readonly ntfy?: string;
  readonly telegram?: string;
  readonly gotify?: string;
  readonly mail?: string;
  readonly account?: string;
  readonly url?: string;
  readonly secretFile?: string;
  readonly allowPrivate?: boolean;
}

export function addTargetOptions(command: Command): Command {
  return command
    .option('--post <url>', 'post messages as JSON to this URL')
    .option(
      '--body-template <file>',
      'with --post: file with the body for people, such as {"text": "{{station.name}}: {{text}}"}',
    )
    .option('--ntfy <url>', 'send messages to a topic of ntfy: https://ntfy.sh/TOPIC')
    .option('--telegram <chat>', 'send messages to a chat of Telegram; the secret is the token of the bot')
    .option('--gotify <url>', 'send messages to a Gotify server; the secret is the token of an application')
    .option('--mail <address>', 'send messages by mail; needs WEATHERD_SMTP_URL and WEATHERD_MAIL_FROM')
    .option('--to <service>', 'send messages for people to another service')
    .option('--account <id>', 'with --to: the user or the receiver at the service')
    .option('--url <url>', 'with --to: address in place of the address of the service')
    .option(
      '--secret-file <file>',
      'file with the secret that signs the posted messages; with --to: file with the password or token',
    )
    .option('--allow-private', 'allow a URL in a private network or on this machine');
}

const TARGETS = ['post', 'ntfy', 'telegram', 'gotify', 'mail', 'to'] as const;
const SETTINGS = ['account', 'url', 'secretFile', 'allowPrivate', 'bodyTemplate'] as const;

/** Whether an option of a target is set. */
export function namesTarget(command: readonly string[], options: TargetOptions): boolean {
  return command.length > 0 || [...TARGETS, ...SETTINGS].some((name) => options[name] !== undefined);
}

/**
 * The target that the options describe: the URL to which messages are posted, a service for people, or the program that is started for
 * each message.
 *
 * @param command the full path of a program and its arguments; empty without a program
 * @returns null if no target is set
 * @throws DomainError REQUEST_INVALID if options exclude each other; Error if a file cannot be read
 */
export function targetOf(command: readonly string[], options: TargetOptions): HookTarget | null {
  const isCommand = command.length > 0;
  const named = TARGETS.filter((name) => options[name] !== undefined);
  const [target] = named;
  const { post, account, url, secretFile, bodyTemplate, allowPrivate = false } = options;
  if (named.length + (isCommand ? 1 : 0) > 1)
    throw invalid('Give only one target: --post, --ntfy, --telegram, --gotify, --mail, --to or a program.');
  if (account !== undefined && target !== 'to') throw invalid('--account requires --to.');
  if (url !== undefined && target !== 'to' && target !== 'telegram')
    throw invalid('--url requires --to or --telegram.');
  if (bodyTemplate !== undefined && target !== 'post') throw invalid('--body-template requires --post.');
  if (target === undefined && (secretFile !== undefined || allowPrivate))
    throw invalid('--secret-file and --allow-private require a target, such as --post, --ntfy or --to.');
  if (isCommand) return { kind: 'command', command };
  if (target === undefined) return null;
  const secret = secretFile === undefined ? {} : { secret: readSecretFile(secretFile) };
  if (post !== undefined) {
    const body = bodyTemplate === undefined ? {} : { body: readTemplate(bodyTemplate) };
    return { kind: 'post', url: post, allowPrivate, ...body, ...secret };
  }
  return { kind: 'service', ...serviceOf(options), ...secret, allowPrivate };
}

function serviceOf({
  ntfy,
  telegram,
  gotify,
  mail,
  to = '',
  account,
  url,
}: TargetOptions): Pick<ServiceTarget, 'service' | 'account' | 'url'> {
  if (ntfy !== undefined) return { service: 'ntfy', url: ntfy };
  if (gotify !== undefined) return { service: 'gotify', url: gotify };
  if (mail !== undefined) return { service: 'mail', account: mail };
  const address = url === undefined ? {} : { url };
  if (telegram !== undefined) return { service: 'telegram', account: telegram, ...address };
  return { service: to, ...(account !== undefined && { account }), ...address };
}

/** @throws Error that names the option and the file */
function readTemplate(file: string): string {
  return readSmallFile('--body-template', file).trimEnd();
}

function invalid(message: string): DomainError {
  return new DomainError('REQUEST_INVALID', message);
}
