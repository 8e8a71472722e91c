import type { PersonalMessage, TargetExchange, TargetKind } from '#application/ports/target-kind.js';
import { TargetFailure } from '#domain/hooks/target-failure.js';
import { MILLISECONDS } from '#domain/time.js';

/** The mail server of the operator. */
export interface MailServer {
  /** `smtp://USER:PASSWORD@HOST:PORT` or `smtps://…`. */
  readonly url: string;
  /** Sender: `weather@example.org` or `Weather <weather@example.org>`. */
  readonly from: string;
  /** Maximum duration of a connection and of each reply, in milliseconds. */
  readonly timeout?: number;
  /** Certificates (PEM) that are trusted in place of the list of Node.js. */
  readonly ca?: string;
}

/** Milliseconds. An attempt has 30 s. */
const TIMEOUT = 8 * MILLISECONDS.second;
const MAX_ATTEMPT = 25 * MILLISECONDS.second;
/** Seconds until the next attempt: servers that greylist take a mail after some minutes, and a password is changed by a person. */
const [GREYLISTED, SLOW] = [300, 900];
const ADDRESS = /^[^\s@<>,;:"()[\]\\]{1,64}@[^\s@<>,;:"()[\]\\]{1,255}$/;

/** Mail by SMTP (RFC 5321), by the server of the operator. The account is the address of the receiver. */
export function mailKind(server: MailServer | undefined): TargetKind {
  return {
    name: 'mail',
    title: 'Mail',
    settings: { account: true },
    faultOf: ({ account = '' }) => {
      if (server === undefined) return 'Mail needs the settings WEATHERD_SMTP_URL and WEATHERD_MAIL_FROM.';
      return ADDRESS.test(account) ? undefined : 'The account of mail is an address such as me@example.org.';
    },
    notify: async (message, to) => {
      if (server === undefined)
        throw new TargetFailure('Mail needs the settings WEATHERD_SMTP_URL and WEATHERD_MAIL_FROM.');
      const { password, username } = new URL(server.url);
      for (const text of [password, decodeURIComponent(password), server.url]) to.hide(text);
      to.hide(
        Buffer.from(`\0${decodeURIComponent(username)}\0${decodeURIComponent(password)}`).toString('base64'),
      );
      await send(server, message, to);
    },
  };
}

async function send(
  { url, from, timeout = TIMEOUT, ca }: MailServer,
  message: PersonalMessage,
  to: TargetExchange,
) {
  const { protocol, username, password, hostname, port } = new URL(url);
  const isTls = protocol === 'smtps:';
  const hasPassword = password !== '';
  // Loaded with the first mail, because most services send none.
  const { createTransport } = await import('nodemailer');
  const picture = await message.picture?.();
  const { title, link } = message;
  const text = [message.text, ...(link === undefined ? [] : ['', link])].join('\n');
  const transcript = new Transcript(`SMTP ${new URL(url).host}`, mailText({ title, text, picture }));
  const transport = createTransport({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (isTls ? 465 : 587) : Number(port),
    secure: isTls,
    // A password is never sent in clear text.
    requireTLS: hasPassword,
    ...(hasPassword && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: timeout,
    greetingTimeout: timeout,
    socketTimeout: timeout,
    dnsTimeout: timeout,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(ca !== undefined && { tls: { ca } }),
    logger: transcript,
    transactionLog: true,
  });
  const timer = setTimeout(() => transport.close(), MAX_ATTEMPT);
  try {
    await transport.sendMail({
      from,
      to: to.account ?? '',
      subject: title,
      text,
      // Mail programs show a message once, although several attempts may have delivered it.
      messageId: `<${message.id.replaceAll(/[^A-Za-z0-9.-]/g, '.')}@weatherd>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
      ...(message.urgency === 'high' && { priority: 'high' as const }),
      ...(picture !== undefined && {
        attachments: [
          { filename: 'station.png', content: Buffer.from(picture), contentDisposition: 'inline' as const },
        ],
      }),
    });
  } catch (error) {
    const failure = failureOf(error as MailError);
    transcript.fail(failure.message);
    throw failure;
  } finally {
    clearTimeout(timer);
    to.record(transcript.sent, transcript.received);
    transport.close();
  }
}

/** The content of a mail as people see it when they test a target. */
function mailText({
  title,
  text,
  picture,
}: {
  title: string;
  text: string;
  picture: Uint8Array | undefined;
}): string {
  const attached = picture === undefined ? [] : ['', `(a picture of ${picture.length} bytes)`];
  return [`Subject: ${title}`, '', text, ...attached].join('\n');
}

const ignored = () => undefined;

/** Collects the commands and replies of a connection, which nodemailer logs without the secrets of AUTH. */
class Transcript {
  readonly trace = ignored;
  readonly info = ignored;
  readonly warn = ignored;
  readonly error = ignored;
  readonly fatal = ignored;
  readonly level = ignored;
  readonly #content: string;
  readonly #sent: string[];
  readonly #received: string[] = [];

  /** @param content stands for the mail behind the command DATA */
  constructor(start: string, content: string) {
    this.#content = content;
    this.#sent = [start];
  }

  readonly debug = (entry: { readonly tnx?: unknown }, line: unknown): void => {
    if (entry.tnx === 'client') this.#sent.push(String(line).replace(/^(AUTH \S+) .*/, '$1 ***'));
    if (entry.tnx === 'server') this.#received.push(String(line));
    if (entry.tnx === 'server' && String(line).startsWith('354')) this.#sent.push(this.#content);
  };

  /** Keeps the reason of a failure if the server said nothing. */
  fail(reason: string): void {
    if (this.#received.length === 0) this.#received.push(reason);
  }

  get sent(): string {
    return this.#sent.join('\n');
  }

  get received(): string {
    return this.#received.join('\n');
  }
}

/** An error of nodemailer: `code` is the step that failed, and `responseCode` the status of the reply. */
interface MailError extends Error {
  readonly code?: string;
  readonly responseCode?: number;
  readonly response?: string;
}

/** Codes of TLS: of Node.js and OpenSSL (`ERR_TLS_…`, `DEPTH_ZERO_SELF_SIGNED_CERT`), and `ETLS` for a missing STARTTLS. */
const TLS = /TLS|SSL|CERT|EPROTO/;

function failureOf({ code = '', responseCode = 0, response: reply, message }: MailError): TargetFailure {
  if (code === 'EAUTH' || responseCode === 535)
    return new TargetFailure('The mail server refuses the user or the password of WEATHERD_SMTP_URL.', {
      reply,
      retryAfter: SLOW,
    });
  if (responseCode >= 500)
    return new TargetFailure(`The mail server refused the mail with status ${responseCode}.`, {
      reply,
      permanent: true,
    });
  if (responseCode >= 400)
    return new TargetFailure(`The mail server takes the mail later: status ${responseCode}.`, {
      reply,
      retryAfter: GREYLISTED,
    });
  if (TLS.test(code) || /certificate|TLS|SSL/i.test(message))
    return new TargetFailure(
      'No encrypted connection to the mail server: check its certificate, the port and smtp or smtps.',
    );
  if (code === 'ETIMEDOUT' || /timeout|timed out/i.test(message))
    return new TargetFailure('The mail server did not answer in time.');
  return new TargetFailure(
    'The mail server cannot be reached. Check the host and the port of WEATHERD_SMTP_URL.',
  );
}
