import { DomainError } from '../domain-error.js';
import { quoted } from '../quoted.js';

/** Weather services that receive the newest values of a station. */
export const UPLOAD_PROTOCOLS = ['wunderground', 'pwsweather', 'wow-be'] as const;
export type UploadProtocol = (typeof UPLOAD_PROTOCOLS)[number];

/** A URL that receives messages as JSON. */
export interface PostTarget {
  readonly kind: 'post';
  /** http or https, without a user and a password. */
  readonly url: string;
  /** Key of the signature. Without a key the messages are not signed. */
  readonly secret?: string;
  /** Whether addresses of private networks and of this machine are allowed too. */
  readonly allowPrivate: boolean;
}

/** A program of this machine that is run for each message. */
export interface CommandTarget {
  readonly kind: 'command';
  /** The full path of the program and its arguments. They are not passed through a shell. */
  readonly command: readonly string[];
}

/** An account of a weather service. */
export interface UploadTarget {
  readonly kind: 'upload';
  readonly protocol: UploadProtocol;
  /** Id of the station at the service. */
  readonly account: string;
  /** Password or key of the station at the service. */
  readonly key: string;
  /**
   * Address of another server, which uses the same upload protocol as the weather service. If undefined, the address of the
   * weather service is used.
   */
  readonly url?: string;
  readonly allowPrivate: boolean;
}

/** The receiver of the messages of a hook or an alarm. */
export type HookTarget = PostTarget | CommandTarget | UploadTarget;

/** Limits of the lengths of texts, in characters. */
const MAX_URL = 2000;
const [MIN_SECRET, MAX_SECRET] = [16, 200];
const MAX_ARGUMENT = 2000;
const MAX_ACCOUNT = 100;
const MAX_KEY = 200;
/** Largest number of parts of a command: the path of the program and its arguments. */
const MAX_ARGUMENTS = 50;

/** Visible ASCII characters. Headers, URLs and terminals leave them unchanged. */
const VISIBLE = /^[\x21-\x7e]+$/;
const FULL_PATH = /^(?:\/|[A-Za-z]:[/\\])/;

/** Checks a target. @returns the target in its stored form @throws DomainError REQUEST_INVALID */
export function acceptTarget(target: HookTarget): HookTarget {
  switch (target.kind) {
    case 'post': {
      const { url, secret, allowPrivate } = target;
      const accepted = { kind: 'post', url: acceptUrl(url), allowPrivate } as const;
      return secret === undefined ? accepted : { ...accepted, secret: acceptSecret(secret) };
    }
    case 'command':
      return { kind: 'command', command: acceptCommand(target.command) };
    case 'upload': {
      const { protocol, account, key, url, allowPrivate } = target;
      if (!UPLOAD_PROTOCOLS.includes(protocol))
        throw invalid(`The protocol of an upload is one of: ${UPLOAD_PROTOCOLS.join(', ')}.`);
      assertVisible('The account of an upload', account, 1, MAX_ACCOUNT);
      assertVisible('The key of an upload', key, 1, MAX_KEY);
      const accepted = { kind: 'upload', protocol, account, key, allowPrivate } as const;
      return url === undefined ? accepted : { ...accepted, url: acceptUrl(url) };
    }
  }
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
    case 'upload': {
      const { protocol, account, url } = target;
      return `${protocol} ${account}${url === undefined ? '' : ` at ${publicUrl(url)}`}`;
    }
  }
}

function publicUrl(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return `${origin}/${pathname === '/' && search === '' ? '' : '…'}`;
}

function acceptUrl(text: string): string {
  if (text.length > MAX_URL) throw invalid(`A URL has at most ${MAX_URL} characters.`);
  if (!URL.canParse(text))
    throw invalid(`${quoted(text)} is not a URL. A URL is complete, such as https://example.org/hook.`);
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw invalid(`The URL begins with ${quoted(url.protocol)}. It must begin with https: or http:.`);
  if (url.username !== '' || url.password !== '')
    throw invalid('The URL contains a user or a password. Remove them; a secret signs the messages instead.');
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
