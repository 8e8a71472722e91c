/** Shows pages without a new document, so that what is in memory stays: a token, the stream of events. */
export interface Navigation {
  /** Opens an address of this site. */
  readonly go: (href: string) => void;
  /** Changes the address of the present page after a choice of what it shows. The choice is no step of the back button. */
  readonly replace: (href: string) => void;
  /** Reads the present page again. */
  readonly reload: () => Promise<void>;
}

/**
 * Follows links, and the back and forward buttons.
 *
 * @param isPage whether an address is a page of the site, and not a file or a route of the API
 * @param open loads the page at an address. @returns a function that shows it
 */
export function startNavigation(
  isPage: (address: URL) => boolean,
  open: (address: URL) => Promise<() => void>,
): Navigation {
  /** Counts the pages that were asked for: only the newest is shown. */
  let asked = 0;
  let shown = location.href;
  /** Vertical positions of the pages that were left, in px. */
  const positions = new Map<string, number>();

  const show = async (arrive: () => void): Promise<void> => {
    asked += 1;
    const own = asked;
    document.documentElement.setAttribute('aria-busy', 'true');
    try {
      const draw = await open(new URL(location.href));
      if (own !== asked) return;
      shown = location.href;
      draw();
      arrive();
    } catch {
      // The code of a page is gone after an upgrade of the service: the new document names the new files.
      location.reload();
    } finally {
      if (own === asked) document.documentElement.removeAttribute('aria-busy');
    }
  };

  const go = (href: string): void => {
    positions.set(shown, scrollY);
    history.pushState(null, '', href);
    void show(() => {
      scrollTo(0, 0);
      focusHeading();
    });
  };

  document.addEventListener('click', (event) => {
    const address = addressOfClick(event);
    if (address === undefined || !isPage(address)) return;
    // A link to another part of the same page is followed by the browser.
    if (address.hash !== '' && withoutHash(address) === withoutHash(new URL(location.href))) return;
    event.preventDefault();
    go(address.href);
  });
  addEventListener('popstate', () => {
    if (withoutHash(new URL(shown)) === withoutHash(new URL(location.href))) {
      shown = location.href;
      return;
    }
    positions.set(shown, scrollY);
    const position = positions.get(location.href) ?? 0;
    void show(() => {
      focusHeading();
      scrollTo(0, position);
    });
  });
  const replace = (href: string): void => {
    history.replaceState(history.state, '', href);
    shown = location.href;
  };
  return { go, replace, reload: () => show(() => undefined) };
}

/** The address of the link that a click opens in the same window; undefined for every other click. */
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

/** Tells screen readers which page was opened, as a new document would. */
function focusHeading(): void {
  const heading = document.querySelector<HTMLElement>('h1') ?? document.getElementById('content');
  if (heading === null) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}
