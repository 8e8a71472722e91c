import type { Ink } from '../model/quantities.js';

/** The colors of the style sheet as the browser shows them now, because a canvas cannot use variables of style sheets. */
export type Inks = Readonly<Record<Ink | 'line' | 'paper' | 'night', string>>;

const NAMES = ['warm', 'teal', 'rain', 'wind', 'ink', 'sun', 'quiet', 'line', 'paper', 'night'] as const;

/** @param place an element that the colors are read in */
export function readInks(place: HTMLElement): Inks {
  const probe = document.createElement('span');
  // With forced colors the names stand for colors of the system, and the browser must not force them again.
  probe.style.setProperty('forced-color-adjust', 'none');
  place.append(probe);
  const inks = NAMES.map((name) => {
    probe.style.color = `var(--${name})`;
    return [name, getComputedStyle(probe).color] as const;
  });
  probe.remove();
  return Object.fromEntries(inks) as Inks;
}

/** Calls `changed` when the visitor switches between light and dark, or to the colors of the system. @returns ends it */
export function onSchemeChange(changed: () => void): () => void {
  const queries = ['(prefers-color-scheme: dark)', '(forced-colors: active)'].map((query) =>
    matchMedia(query),
  );
  for (const query of queries) query.addEventListener('change', changed);
  return () => {
    for (const query of queries) query.removeEventListener('change', changed);
  };
}
