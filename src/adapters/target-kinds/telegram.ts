import type {
  PersonalMessage,
  TargetExchange,
  TargetKind,
  TargetReply,
} from '#application/ports/target-kind.js';
import { TargetFailure } from '#domain/hooks/target-failure.js';
import { shortened } from '#domain/shortened.js';
import { assertAcknowledged } from './messages/acknowledged.js';

const ADDRESS = 'https://api.telegram.org/';
/** Largest number of characters of a text and of the caption of a picture, with some room for the title. */
const MAX_TEXT = 3900;
const MAX_CAPTION = 900;
/** Seconds until the next attempt where only a person can change something. */
const SLOW = 900;
/** The statuses whose replies have a reason in JSON. */
const REFUSALS = [400, 401, 403, 404, 413, 429];
/** Key of `TargetExchange.memory`: the id of the supergroup that a group has become. */
const MOVED = 'chat';

/** Telegram (https://core.telegram.org/bots/api). The account is the chat, and the secret is the token of the bot. */
export const telegram: TargetKind = {
  name: 'telegram',
  title: 'Telegram',
  settings: { account: true, secret: true, url: false },
  faultOf: ({ account = '', secret = '' }) => {
    if (!/^(?:-?\d{1,20}|@[A-Za-z]\w{3,31})$/.test(account))
      return 'The chat of Telegram is a number, such as 123456789 or -1001234567890, or the name of a channel, such as @my_channel.';
    return /^\d{1,20}:[\w-]{10,100}$/.test(secret)
      ? undefined
      : 'The secret of Telegram is the token of the bot, which has the form 123456789:LETTERS. The user BotFather gives it.';
  },
  notify: async (message, to) => {
    const text = textOf(message);
    const picture = text.length <= MAX_CAPTION ? await message.picture?.() : undefined;
    const common = {
      parse_mode: 'HTML',
      disable_notification: message.urgency === 'low',
    };
    if (picture !== undefined) {
      const sent = await call(to, 'sendPhoto', (chat) =>
        multipart({ chat_id: chat, caption: text, ...common }, picture),
      );
      if (sent.status < 300) {
        assertAcknowledged('Telegram', sent, 'ok');
        return;
      }
      // Only a picture that cannot be taken is left out. Other refusals hold for the text too.
      if (sent.status !== 400 && sent.status !== 413) throw refusalOf(sent);
    }
    const sent = await call(to, 'sendMessage', (chat) => ({
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ chat_id: chat, text, link_preview_options: { is_disabled: true }, ...common }),
    }));
    if (sent.status >= 300) throw refusalOf(sent);
    assertAcknowledged('Telegram', sent, 'ok');
  },
};

interface Written {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** Calls a method of the bot. If the group has become a supergroup, the call is repeated with the new chat. */
async function call(
  to: TargetExchange,
  method: string,
  write: (chat: string) => Written,
): Promise<TargetReply> {
  const base = to.address(ADDRESS).href.replace(/\/$/, '');
  const url = new URL(`${base}/bot${to.secret ?? ''}/${method}`);
  const send = (chat: string) => to.fetch({ url, ...write(chat), accepts: REFUSALS });
  const reply = await send(to.memory.get(MOVED) ?? to.account ?? '');
  const moved = reply.status === 400 ? parametersOf(reply)['migrate_to_chat_id'] : undefined;
  if (typeof moved !== 'number') return reply;
  to.memory.set(MOVED, String(moved));
  return await send(String(moved));
}

function refusalOf(reply: TargetReply): TargetFailure {
  const { status, text } = reply;
  if (status === 429) {
    const after = parametersOf(reply)['retry_after'];
    return new TargetFailure('Telegram takes no more messages for some time.', {
      reply: text,
      retryAfter: typeof after === 'number' ? after : undefined,
    });
  }
  if (status === 401 || status === 404)
    return new TargetFailure('Telegram does not know this bot. Check the token.', {
      reply: text,
      retryAfter: SLOW,
    });
  if (status === 403)
    return new TargetFailure(
      'The bot may not write to this chat: the user has blocked it, or it is no member.',
      {
        reply: text,
        retryAfter: SLOW,
      },
    );
  if (/chat not found/i.test(text))
    return new TargetFailure(
      'Telegram does not know this chat. Write to the bot once, then check the chat.',
      {
        reply: text,
        retryAfter: SLOW,
      },
    );
  return new TargetFailure('Telegram refused the message.', { reply: text, permanent: true });
}

function parametersOf(reply: TargetReply): Readonly<Record<string, unknown>> {
  const { parameters } = reply.json() as { readonly parameters?: Readonly<Record<string, unknown>> };
  return parameters ?? {};
}

function textOf({ title, text, link }: PersonalMessage): string {
  const body = escaped(shortened(text, MAX_TEXT));
  return [`<b>${escaped(title)}</b>`, body, ...(link === undefined ? [] : [escaped(link)])].join('\n');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** A form with a picture (RFC 7578). */
function multipart(fields: Readonly<Record<string, string | boolean>>, picture: Uint8Array): Written {
  const boundary = 'weatherd-5f1d3c7a9b2e4860';
  const part = (head: string) => `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`;
  const texts = Object.entries(fields).map(([name, value]) => `${part(`name="${name}"`)}${value}\r\n`);
  const file = part('name="photo"; filename="station.png"\r\nContent-Type: image/png');
  const body = Buffer.concat([
    Buffer.from(`${texts.join('')}${file}`),
    picture,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  return { headers: { 'content-type': `multipart/form-data; boundary=${boundary}` }, body };
}
