import { DomainError } from '../domain-error.js';
import { quoted } from '../quoted.js';
import { acceptTemplate } from './body-template.js';

/** A URL that receives messages as JSON. */
export interface PostTarget {
  readonly kind: 'post';
  /** http or https, without a user and a password. */
  readonly url: string;
  /** Key of the signature. Without a key the messages are not signed. */
  readonly secret?: string;
  /** Template of the body of messages for people; see `acceptTemplate`. Without a template the body is JSON for programs. */
  readonly body?: string;
  /** Whether addresses of private networks and of this machine are allowed too. */
  readonly allowPrivate: boolean;
}

/** A program of this machine that is run for each message. */
export interface CommandTarget {
  readonly kind: 'command';
  /** The full path of the program and its arguments. They are not passed through a shell. */
  readonly command: readonly string[];
}

/** The settings with which a service is reached. */
export interface TargetSettings {
  /** The station, the user or the receiver at the service. */
  readonly account?: string;
  /** Password, key or token. */
  readonly secret?: string;
  /** Address in place of the address of the service. */
  readonly url?: string;
}

export const TARGET_SETTINGS = [
  'account',
  'secret',
  'url',
] as const satisfies readonly (keyof TargetSettings)[];

/** A service that receives the newest weather of a station, or messages for people. */
export interface ServiceTarget extends TargetSettings {
  readonly kind: 'service';
  /** Name of the kind of target (`TargetKind.name`): `windy`. */
  readonly service: string;
  readonly allowPrivate: boolean;
}

/** The receiver of the messages of a hook or an alarm. */
export type HookTarget = PostTarget | CommandTarget | ServiceTarget;

/** A weather service as earlier versions have stored it. */
interface StoredUpload {
  readonly kind: 'upload';
  readonly protocol: string;
  readonly account: string;
  readonly key: string;
  readonly url?: string;
  readonly allowPrivate: boolean;
}

/** Reads a stored target, which an earlier version may have written. */
export function storedTarget(stored: HookTarget | StoredUpload): HookTarget {
  if (stored.kind !== 'upload') return stored;
  const { kind: _kind, protocol: service, key: secret, ...others } = stored;
  return { kind: 'service', service, secret, ...others };
}

/** Limits of the lengths of texts, in characters. */
const MAX_URL = 2000;
const [MIN_SECRET, MAX_SECRET] = [16, 200];
const MAX_ARGUMENT = 2000;
const MAX_ACCOUNT = 200;
const MAX_SERVICE_SECRET = 1000;
/** Largest number of parts of a command: the path of the program and its arguments. */
const MAX_ARGUMENTS = 50;

/** Visible ASCII characters. Headers, URLs and terminals leave them unchanged. */
const VISIBLE = /^[\x21-\x7e]+$/;
/** A password of a service may have any characters except control characters. */
const PRINTABLE = /^[^\u0000-\u001f\u007f-\u009f]+$/; // oxlint-disable-line no-control-regex
const FULL_PATH = /^(?:\/|[A-Za-z]:[/\\])/;

/** Checks a target. @returns the target in its stored form @throws DomainError REQUEST_INVALID */
export function acceptTarget(target: HookTarget): HookTarget {
  switch (target.kind) {
    case 'post': {
      const { url, secret, body, allowPrivate } = target;
      const template = body === undefined ? {} : { body: acceptTemplate(body) };
      const accepted = { kind: 'post', url: acceptUrl(url), ...template, allowPrivate } as const;
      return secret === undefined ? accepted : { ...accepted, secret: acceptSecret(secret) };
    }
    case 'command':
      return { kind: 'command', command: acceptCommand(target.command) };
    case 'service':
      return acceptService(target);
  }
}

function acceptService({ service, account, secret, url, allowPrivate }: ServiceTarget): ServiceTarget {
  if (account !== undefined) assertVisible('The account of a target', account, 1, MAX_ACCOUNT);
  if (secret !== undefined && (secret.length > MAX_SERVICE_SECRET || !PRINTABLE.test(secret)))
    throw invalid(
      `The secret of a target has 1 to ${MAX_SERVICE_SECRET} characters, and no control characters.`,
    );
  return {
    kind: 'service',
    service,
    ...(account !== undefined && { account }),
    ...(secret !== undefined && { secret }),
    ...(url !== undefined && { url: acceptUrl(url, SERVICE_SCHEMES) }),
    allowPrivate,
  };
}

/**
 * The public text of a target. Secrets, keys, paths, queries and arguments are left out, because the URLs of chat and
 * notification services are secrets themselves.
 */
export function describeTarget(target: HookTarget): string {
  switch (target.kind) {
    case 'post':
      return publicUrl(target.url);
    case 'command': {
      const [program = '', ...options] = target.command;
      if (options.length === 0) return program;
      return `${program} (${options.length} ${options.length === 1 ? 'argument' : 'arguments'})`;
    }
    case 'service': {
      const { service, account, url } = target;
      return [
        service,
        ...(account === undefined ? [] : [account]),
        ...(url === undefined ? [] : ['at', publicUrl(url)]),
      ].join(' ');
    }
  }
}

/** A URL without its path and query, which may contain secrets. */
export function publicUrl(url: string): string {
  const { protocol, host, pathname, search } = new URL(url);
  return `${protocol}//${host}/${['', '/'].includes(pathname) && search === '' ? '' : '…'}`;
}

/** The schemes of the URLs of services. A kind of target may accept fewer of them. */
const SERVICE_SCHEMES = ['https', 'http', 'tcp'];

function acceptUrl(text: string, schemes: readonly string[] = ['https', 'http']): string {
  if (text.length > MAX_URL) throw invalid(`A URL has at most ${MAX_URL} characters.`);
  if (!URL.canParse(text))
    throw invalid(`${quoted(text)} is not a URL. A URL is complete, such as https://example.org/hook.`);
  const url = new URL(text);
  if (!schemes.includes(url.protocol.slice(0, -1)))
    throw invalid(
      `The URL begins with ${quoted(url.protocol)}. It must begin with ${schemes.map((scheme) => `${scheme}:`).join(' or ')}.`,
    );
  if (url.hostname === '') throw invalid('The URL has no host.');
  if (url.username !== '' || url.password !== '')
    throw invalid(
      'The URL contains a user or a password. Remove them, and give the secret as a setting of its own.',
    );
  url.hash = '';
  return url.href;
}

function acceptSecret(secret: string): string {
  assertVisible('The secret of a hook', secret, MIN_SECRET, MAX_SECRET);
  return secret;
}

function acceptCommand(command: readonly string[]): readonly string[] {
  const [program] = command;
  if (program === undefined || !FULL_PATH.test(program))
    throw invalid('A command begins with the full path of a program, such as /usr/local/bin/notify.');
  if (command.length > MAX_ARGUMENTS)
    throw invalid(`A command has at most ${MAX_ARGUMENTS} parts, its program included.`);
  for (const part of command)
    if (part.length > MAX_ARGUMENT || part.includes('\0') || !part.isWellFormed())
      throw invalid(
        `A part of a command has at most ${MAX_ARGUMENT} characters, and no NUL. ${quoted(part)} breaks this rule.`,
      );
  return [...command];
}

/** The text may be a secret, so no message contains it. */
function assertVisible(name: string, text: string, min: number, max: number): void {
  if (text.length < min || text.length > max || !VISIBLE.test(text))
    throw invalid(
      `${name} has ${min} to ${max} characters: letters, digits and signs of ASCII, without blanks.`,
    );
}

function invalid(message: string): DomainError {
  return new DomainError('REQUEST_INVALID', message);
}
