/**
 * The exports of the bundle `render.js`, which is built from `client/`. The bundle is loaded at run time, because the code of pages
 * is compiled with the types of browsers.
 */
export interface Renderer {
  readonly pages: readonly PageRenderer[];
  /** Renders the header of the page about the API, with the preferences of the visitor. */
  readonly renderApiHeader: (
    request: RenderRequest,
    site: SiteFacts,
  ) => Promise<{
    readonly html: string;
    readonly preferences: { readonly language: string; readonly theme: string };
    readonly cookie: string | undefined;
  }>;
  /**
   * Draws the picture of a station for links, as SVG of 1200 × 630 pixels. Only the query of the request sets language, units and
   * colors, so that the picture at an address is the same for everyone. Rejects with an error that has the `code` of the reply.
   */
  readonly drawCard: (request: CardRequest) => Promise<string>;
}

/** A request for the picture of a station. */
export interface CardRequest extends Pick<RenderRequest, 'search' | 'read'> {
  readonly station: string;
}

export interface PageRenderer {
  /** Path with parameters in braces: `/stations/{id}`. */
  readonly path: string;
  /** Whether pages of other origins may show this page in a frame. */
  readonly mayBeFramed: boolean;
  readonly render: (request: RenderRequest, site: SiteFacts) => Promise<Rendered>;
}

export interface RenderRequest {
  readonly params: Readonly<Record<string, string>>;
  /** The query string without its question mark. */
  readonly search: string;
  /** The origin under which the visitor sees the site; undefined if it is unknown. */
  readonly origin: string | undefined;
  /** Request header `Accept-Language`. */
  readonly acceptLanguage: string | undefined;
  /** Request header `Cookie`. */
  readonly cookie: string | undefined;
  /** Reads the JSON of a public route of the API. Rejects with an error that has the `code` of the reply. */
  readonly read: (target: string) => Promise<unknown>;
}

export interface Rendered {
  readonly status: number;
  /** A complete HTML document. */
  readonly html: string;
  /**
   * Value of the header `Set-Cookie`. The cookie stores the preferences that the query string contains. Undefined if the query
   * string contains no preferences.
   */
  readonly cookie: string | undefined;
}

/** Facts about the service that are the same for all requests. */
export interface SiteFacts {
  /** Whether weather data may be read without a token. */
  readonly publicReads: boolean;
  /** Whether users may sign in: the connection uses TLS or stays on this machine. */
  readonly signIn: boolean;
  /**
   * The beginning of the command lines that the home page shows if there are no stations. On the machine of the service it can
   * contain settings, for example `WEATHERD_DATA_DIR=/srv/data weatherd`. Visitors on other machines see `weatherd`.
   */
  readonly command: string;
  /** Whether the first administrator can be created now: on the machine of the service, with the code that it printed. */
  readonly setup: boolean;
  /** Whether the service has a map of streets for the map of stations, see `street-map-page.ts`. */
  readonly streetMap: boolean;
  /** URLs of built files by their names in `manifest.json`. */
  readonly files: Readonly<Record<string, string>>;
}
