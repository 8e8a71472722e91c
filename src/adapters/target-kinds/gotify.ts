import type { TargetKind } from '#application/ports/target-kind.js';
import { assertAcknowledged } from './messages/acknowledged.js';

const PRIORITIES = { low: 2, normal: 5, high: 8 } as const;

/** Gotify (https://gotify.net/docs/pushmsg). The secret is the token of an application. */
export const gotify: TargetKind = {
  name: 'gotify',
  title: 'Gotify',
  settings: { url: true, secret: true },
  notify: async ({ title, text, urgency, link }, to) => {
    const url = new URL(to.url ?? '');
    url.pathname = `${url.pathname.replace(/\/$/, '')}/message`;
    const reply = await to.fetch({
      url,
      headers: { 'x-gotify-key': to.secret ?? '', 'content-type': 'application/json' },
      body: JSON.stringify({
        title,
        message: text,
        priority: PRIORITIES[urgency],
        ...(link !== undefined && { extras: { 'client::notification': { click: { url: link } } } }),
      }),
    });
    assertAcknowledged('Gotify', reply, 'id');
  },
};
