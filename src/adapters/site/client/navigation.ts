/** Navigates within one document, so that the token and the event stream stay in memory. */
export interface Navigation {
  /** Opens a URL of this site. */
  readonly go: (href: string) => void;
  /** Changes the URL of the current page without a new entry in the history of the browser. */
  readonly replace: (href: string) => void;
  /** Changes the URL of the current page with a new entry in the history of the browser. Does not load the page. */
  readonly push: (href: string) => void;
  /** Adds a listener for queries of the current page. @returns a function that removes the listener */
  readonly onQuery: (listener: QueryListener) => () => void;
  /** Loads the data of the current page again. */
  readonly reload: () => Promise<void>;
}

/**
 * Called with a URL of the current page, when a link or the back button leads to another query.
 *
 * @returns whether the page shows what the query says, so that the page need not be loaded
 */
export type QueryListener = (address: URL) => boolean;

/**
 * Handles clicks on links, and the back and forward buttons.
 *
 * @param isPage whether a URL is a page of the site, and not a file or a route of the API
 * @param open loads the page at a URL and returns a function that renders the page
 */
export function startNavigation(
  isPage: (address: URL) => boolean,
  open: (address: URL) => Promise<() => void>,
): Navigation {
  /** Number of the newest request for a page. Only the newest request is rendered. */
  let newestRequest = 0;
  let shownHref = location.href;
  /** Scroll positions of earlier pages by URL, in px. */
  const positions = new Map<string, number>();

  const queryListeners = new Set<QueryListener>();
  const isShownByListener = (address: URL): boolean =>
    address.pathname === new URL(shownHref).pathname &&
    [...queryListeners].some((listener) => listener(address));

  const show = async (afterRender: () => void): Promise<void> => {
    newestRequest += 1;
    const request = newestRequest;
    document.documentElement.setAttribute('aria-busy', 'true');
    try {
      const render = await open(new URL(location.href));
      if (request !== newestRequest) return;
      shownHref = location.href;
      render();
      afterRender();
    } catch {
      // The page could not be loaded, for example because an upgrade of the service has replaced the script of the page. The
      // document is loaded again, because the new document contains the names of the new files.
      location.reload();
    } finally {
      if (request === newestRequest) document.documentElement.removeAttribute('aria-busy');
    }
  };

  const go = (href: string): void => {
    positions.set(shownHref, scrollY);
    history.pushState(null, '', href);
    void show(() => {
      const part = document.getElementById(new URL(location.href).hash.slice(1));
      if (part === null) scrollTo(0, 0);
      else part.scrollIntoView();
      focusHeading();
    });
  };

  const push = (href: string): void => {
    history.pushState(null, '', href);
    shownHref = location.href;
  };

  document.addEventListener('click', (event) => {
    const address = addressOfClick(event);
    if (address === undefined || !isPage(address)) return;
    // The browser itself handles a link to another part of the same page.
    if (address.hash !== '' && withoutHash(address) === withoutHash(new URL(location.href))) return;
    event.preventDefault();
    if (isShownByListener(address)) push(address.href);
    else go(address.href);
  });
  addEventListener('popstate', () => {
    if (withoutHash(new URL(shownHref)) === withoutHash(new URL(location.href))) {
      shownHref = location.href;
      return;
    }
    if (isShownByListener(new URL(location.href))) {
      shownHref = location.href;
      return;
    }
    positions.set(shownHref, scrollY);
    const position = positions.get(location.href) ?? 0;
    void show(() => {
      focusHeading();
      scrollTo(0, position);
    });
  });
  const replace = (href: string): void => {
    history.replaceState(history.state, '', href);
    shownHref = location.href;
  };
  const onQuery = (listener: QueryListener) => {
    queryListeners.add(listener);
    return () => queryListeners.delete(listener);
  };
  return { go, replace, push, onQuery, reload: () => show(() => undefined) };
}

/** The URL of the link that a click opens in the same window; undefined for every other click. */
function addressOfClick(event: MouseEvent): URL | undefined {
  if (event.defaultPrevented || event.button !== 0) return undefined;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return undefined;
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
  if (!(link instanceof HTMLAnchorElement) || link.hasAttribute('download')) return undefined;
  if (link.target !== '' && link.target !== '_self') return undefined;
  const address = new URL(link.href);
  return address.origin === location.origin ? address : undefined;
}

function withoutHash(address: URL): string {
  return address.href.slice(0, address.href.length - address.hash.length);
}

/** Moves the focus to the heading, so that screen readers announce the new page. */
function focusHeading(): void {
  const heading = document.querySelector<HTMLElement>('h1') ?? document.getElementById('content');
  if (heading === null) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}
