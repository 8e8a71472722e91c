import type { ComponentType } from 'preact';
import type { ApiClient } from './api.js';
import type { Text } from './text/en.js';

/** A page of the site. The service renders it for the first screen, and the browser again with the same code. */
export interface PageDefinition<Data> {
  /** Reads what the page shows first. @throws WeatherdError */
  load(api: ApiClient, place: PageLocation): Promise<Data>;
  title(data: Data, text: Text): string;
  readonly View: ComponentType<{ readonly data: Data; readonly place: PageLocation }>;
}

/** The address of a page. */
export interface PageLocation {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
}

// oxlint-disable-next-line typescript/no-explicit-any -- each page was checked with its own data
export type AnyPage = PageDefinition<any>;

export interface PageRoute {
  /** As in routes: `/stations/{id}`. */
  readonly path: string;
  /** Whether pages of other origins may show it in a frame. */
  readonly mayBeFramed?: true;
  /** Whether the page stands alone, without the header of the site. */
  readonly isBare?: true;
  /** Whether it reads nothing for its first screen, so that it needs no sign-in for that. */
  readonly hasNoData?: true;
  load(): Promise<AnyPage>;
}
