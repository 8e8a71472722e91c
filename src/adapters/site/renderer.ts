/**
 * What the bundle `render.js` exports, which is built from `client/`. It is loaded at run time, because the code of pages is
 * compiled with the types of browsers.
 */
export interface Renderer {
  readonly pages: readonly PageRenderer[];
  /** What a visitor has chosen, or the browser asks for. */
  readonly readPreferences: (request: Pick<RenderRequest, 'search' | 'cookie' | 'acceptLanguage'>) => {
    readonly language: string;
    readonly theme: string;
  };
}

export interface PageRenderer {
  /** As in routes: `/stations/{id}`. */
  readonly path: string;
  /** Whether pages of other origins may show it in a frame. */
  readonly mayBeFramed: boolean;
  readonly render: (request: RenderRequest, site: SiteFacts) => Promise<Rendered>;
}

export interface RenderRequest {
  readonly params: Readonly<Record<string, string>>;
  /** The query without its question mark. */
  readonly search: string;
  /** `Accept-Language` and `Cookie` as sent. */
  readonly acceptLanguage: string | undefined;
  readonly cookie: string | undefined;
  /** Reads the JSON of a public route of the API. Rejects with an error that has the `code` of the reply. */
  readonly read: (target: string) => Promise<unknown>;
}

export interface Rendered {
  readonly status: number;
  /** A whole document. */
  readonly html: string;
  /** Keeps a choice that the query makes, as the header `Set-Cookie` has it. */
  readonly cookie: string | undefined;
}

/** What is the same for all requests. */
export interface SiteFacts {
  /** Whether weather data may be read without a token. */
  readonly publicReads: boolean;
  /** Whether users may sign in over this connection: over TLS, or on this machine. */
  readonly signIn: boolean;
  /** The start of a command line for this service, for visitors of an empty service. Others than on this machine see `weatherd`. */
  readonly command: string;
  /** Addresses of built files by their names in `manifest.json`. */
  readonly files: Readonly<Record<string, string>>;
}
