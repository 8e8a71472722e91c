import type { RenderRequest } from '../renderer.js';
import { type ApiClient, targetOf } from './api.js';
import type { Site } from './site-context.js';

/** The client with which the service reads its own API, without HTTP. */
export function serverClient(read: RenderRequest['read']): ApiClient {
  return { get: (path, ...[options]) => read(targetOf(path, options)) as Promise<never> };
}

const nothing = () => undefined;

/** The part of `Site` that exists only in browsers. On the server it does nothing. */
export const NO_BROWSER: Pick<Site, 'go' | 'replace' | 'push' | 'onQuery' | 'choose' | 'reload'> = {
  go: nothing,
  replace: nothing,
  push: nothing,
  onQuery: () => nothing,
  choose: nothing,
  reload: () => Promise.resolve(),
};
