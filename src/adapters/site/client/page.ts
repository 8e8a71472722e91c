import type { ComponentType } from 'preact';
import type { ApiClient } from './api.js';
import type { Site } from './site-context.js';

export type TitleContext = Pick<Site, 'text' | 'preferences' | 'now'>;

/** A page of the site. The service renders the first screen of the page; the browser hydrates this screen with the same code. */
export interface PageDefinition<Data> {
  /** Reads the data of the first screen. @throws WeatherdError @throws Redirect to show another page */
  load(api: ApiClient, pageLocation: PageLocation): Promise<Data>;
  /** @param site what is known without a reading: the texts, the preferences and the time */
  title(data: Data, site: TitleContext): string;
  /** What a link to the page shows elsewhere. Without this function, the link shows the description of the site. */
  preview?(data: Data, site: TitleContext): Preview;
  readonly View: ComponentType<{ readonly data: Data; readonly pageLocation: PageLocation }>;
}

/** What search engines, chats and social networks show beside the title of a page. */
export interface Preview {
  /** The path that stands for the page: several pages can show the same subject. */
  readonly path: string;
  readonly description: string;
  /** A picture of 1200 × 630 pixels, with its text for whoever does not see it. */
  readonly image?: { readonly path: string; readonly alt: string };
  /** Path of the manifest with which browsers install the page as an app. */
  readonly manifest?: string;
}

/** Path parameters and query of the URL of a page. */
export interface PageLocation {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
}

// oxlint-disable-next-line typescript/no-explicit-any -- the compiler has checked each page with its own type of data
export type AnyPage = PageDefinition<any>;

export interface PageRoute {
  /** Path with parameters in braces: `/stations/{id}`. */
  readonly path: string;
  /** Whether pages of other origins may show this page in a frame. */
  readonly mayBeFramed?: true;
  /** Whether the page has no header of the site. */
  readonly isBare?: true;
  /** Whether search engines must not list the page. */
  readonly isUnlisted?: true;
  /** Whether the first screen contains no data, so that visitors may see it without a sign-in. */
  readonly hasNoData?: true;
  load(): Promise<AnyPage>;
}
