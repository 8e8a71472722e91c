import { z } from 'zod';
import { optional } from './setting.js';

/** Whether a text is the URL of a mail server. The user and the password may be missing. */
const isMailServer = (text: string) => {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password, pathname, search, hash } = new URL(text);
  const hasBoth = (username === '') === (password === '');
  return (
    ['smtp:', 'smtps:'].includes(protocol) &&
    hostname !== '' &&
    hasBoth &&
    [username, password].every(isDecodable) &&
    ['', '/'].includes(pathname) &&
    search + hash === ''
  );
};

/** Whether each `%` begins an encoded character. Otherwise the user or the password of the URL could not be read when a mail is sent. */
function isDecodable(part: string): boolean {
  try {
    decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}

/** A value is not in the message, because it has the password. */
const mailServer = z
  .string()
  .refine(
    isMailServer,
    'Must be smtp://USER:PASSWORD@HOST:PORT (STARTTLS) or smtps://… (TLS), with reserved characters of the password as %40',
  );

const sender = z
  .string()
  .regex(
    /^(?:[^<>@"\p{Cc}]{1,80} )?<?[^\s<>@,;"]{1,64}@[^\s<>@,;"]{1,255}>?$/u,
    'Must be an address such as weather@example.org or Weather <weather@example.org>',
  );

/** The settings of the mail server, for `SETTING_TABLE`. */
export const MAIL_SETTINGS = {
  SMTP_URL: optional(
    mailServer,
    'Mail server for messages of alarms: `smtp://USER:PASSWORD@HOST:PORT` with STARTTLS, or `smtps://…` with TLS ([targets.md](targets.md#mail)).',
    { secret: true },
  ),
  MAIL_FROM: optional(
    sender,
    'Sender of the mails: `weather@example.org` or `Weather <weather@example.org>`.',
  ),
};

/** Checks settings that need each other. */
export function checkMailSettings({
  SMTP_URL: server,
  MAIL_FROM: from,
}: {
  readonly SMTP_URL?: string | undefined;
  readonly MAIL_FROM?: string | undefined;
}): readonly string[] {
  if (server !== undefined && from === undefined) return ['WEATHERD_SMTP_URL: set WEATHERD_MAIL_FROM too'];
  return server === undefined && from !== undefined ? ['WEATHERD_MAIL_FROM: set WEATHERD_SMTP_URL too'] : [];
}
