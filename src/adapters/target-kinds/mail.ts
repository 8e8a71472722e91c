import type { PersonalMessage, TargetKind } from '#application/ports/target-kind.js';
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
      await send(server, to.account ?? '', message);
    },
  };
}

async function send(
  { url, from, timeout = TIMEOUT, ca }: MailServer,
  account: string,
  message: PersonalMessage,
) {
  const { protocol, username, password, hostname, port } = new URL(url);
  const isTls = protocol === 'smtps:';
  const hasPassword = password !== '';
  // Loaded with the first mail, because most services send none.
  const { createTransport } = await import('nodemailer');
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
  });
  const timer = setTimeout(() => transport.close(), MAX_ATTEMPT);
  try {
    const picture = await message.picture?.();
    await transport.sendMail({
      from,
      to: account,
      subject: message.title,
      text: [message.text, ...(message.link === undefined ? [] : ['', message.link])].join('\n'),
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
    throw failureOf(error as MailError);
  } finally {
    clearTimeout(timer);
    transport.close();
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
