import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';

/** A page or a file for the HTTP adapter. */
export interface SitePage {
  readonly path: string;
  /** Whether the page shows to a user what the token of the request allows. All other pages ignore tokens. */
  readonly readsAsUser?: true;
  readonly answer: (request: SiteRequest) => SiteReply | Promise<SiteReply>;
}

export interface SiteRequest {
  readonly method: string;
  readonly params: Readonly<Record<string, string>>;
  readonly search: string;
  readonly headers: IncomingHttpHeaders;
  readonly network: string;
  readonly read: (target: string) => Promise<unknown>;
}

export interface SiteReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly etag: string;
  readonly body:
    | string
    | ReadonlyMap<string, Uint8Array>
    | { readonly length: number; readonly open: () => Readable };
}
