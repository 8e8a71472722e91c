import type { PersonalMessage, TargetExchange, TargetKind } from '#application/ports/target-kind.js';
import { shortened } from '#domain/shortened.js';
import { assertAcknowledged } from './messages/acknowledged.js';

/** ntfy takes 4096 bytes of text. A character has at most three bytes for each UTF-16 unit. */
const MAX_TEXT = 1300;
const MAX_TITLE = 80;
const PRIORITIES = { low: 2, normal: 3, high: 4 } as const;
/** Short codes of emojis, by event. */
const TAGS: Readonly<Record<string, string>> = {
  raised: 'warning',
  cleared: 'white_check_mark',
  test: 'test_tube',
  digest: 'warning',
};
/** Replies to a picture that this server does not take: attachments are off, it is too large, or the space is used up. */
const NO_PICTURE = [400, 413, 429, 507];

/** ntfy (https://docs.ntfy.sh/publish/), at ntfy.sh or at a server of the operator. The URL ends with the topic. */
export const ntfy: TargetKind = {
  name: 'ntfy',
  title: 'ntfy',
  settings: { url: true, secret: false },
  faultOf: ({ url = '' }) =>
    topicOf(new URL(url)) === undefined
      ? 'The URL of ntfy ends with the topic: 1 to 64 letters, digits, _ and -, such as https://ntfy.sh/my-garden-7f3a.'
      : undefined,
  notify: async (message, to) => {
    const url = new URL(to.url ?? '');
    const topic = topicOf(url) ?? '';
    // Who knows the topic can read and send its messages.
    to.hide(topic);
    const picture = await message.picture?.();
    if (picture !== undefined && (await sendPicture(message, picture, to))) return;
    url.pathname = url.pathname.slice(0, url.pathname.replace(/\/$/, '').lastIndexOf('/') + 1);
    const { title, text, urgency, link, fields } = message;
    const tag = TAGS[fields['event'] ?? ''];
    const reply = await to.fetch({
      url,
      headers: { ...authorization(to), 'content-type': 'application/json' },
      body: JSON.stringify({
        topic,
        title: shortened(title, MAX_TITLE),
        message: shortened(text, MAX_TEXT),
        priority: PRIORITIES[urgency],
        ...(tag !== undefined && { tags: [tag] }),
        ...(link !== undefined && { click: link }),
      }),
    });
    assertAcknowledged('ntfy', reply, 'id');
  },
};

/** @returns false if this server takes no picture; the message was then not sent */
async function sendPicture(
  { title, text, urgency, link, fields }: PersonalMessage,
  picture: Uint8Array,
  to: TargetExchange,
): Promise<boolean> {
  const reply = await to.fetch({
    url: new URL(to.url ?? ''),
    method: 'PUT',
    headers: {
      ...authorization(to),
      title: encoded(shortened(title, MAX_TITLE)),
      message: encoded(shortened(text, MAX_TEXT).replaceAll('\n', '\\n')),
      priority: String(PRIORITIES[urgency]),
      tags: TAGS[fields['event'] ?? ''] ?? '',
      filename: 'station.png',
      ...(link !== undefined && { click: link }),
    },
    body: picture,
    accepts: NO_PICTURE,
  });
  if (reply.status >= 300) return false;
  assertAcknowledged('ntfy', reply, 'id');
  return true;
}

function authorization({ secret }: TargetExchange): Readonly<Record<string, string>> {
  return secret === undefined ? {} : { authorization: `Bearer ${secret}` };
}

/** A text in a header (RFC 2047). */
function encoded(text: string): string {
  return `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`;
}

function topicOf({ pathname }: URL): string | undefined {
  return /\/([A-Za-z0-9_-]{1,64})\/?$/.exec(pathname)?.[1];
}
