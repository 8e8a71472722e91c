import { REPLIES } from '../upload-reply.js';
import type { Dialect } from './dialect.js';
import { readWunderground } from './wunderground.js';

const PATH = /\/(?:pwsupdate\/pwsupdate\.php|api\/v1\/submitwx)\/?$/;

/** PWSWeather: the fields are the same as those of Weather Underground, and only the path differs. */
export const pwsweather: Dialect = {
  name: 'pwsweather',
  recognizes: ({ path }) => PATH.test(path),
  read: readWunderground,
  replies: REPLIES,
};
