import type { Ink } from '../model/quantities.js';

/** The current colors of the style sheet by name. A canvas cannot use variables of style sheets. */
export type Inks = Readonly<Record<Ink | 'line' | 'paper' | 'night', string>>;

const NAMES = [
  'temperature',
  'humidity',
  'rain',
  'wind',
  'ink',
  'sun',
  'muted',
  'line',
  'paper',
  'night',
] as const;

/** Reads the current colors. @param element element whose variables are read */
export function readInks(element: HTMLElement): Inks {
  const probe = document.createElement('span');
  // In the forced-colors mode, the variables already are system colors. Without this property, the browser would replace the
  // color again.
  probe.style.setProperty('forced-color-adjust', 'none');
  element.append(probe);
  const inks = NAMES.map((name) => {
    probe.style.color = `var(--${name})`;
    return [name, getComputedStyle(probe).color] as const;
  });
  probe.remove();
  return Object.fromEntries(inks) as Inks;
}

/**
 * Calls `changed` when the visitor switches between light, dark and forced colors.
 *
 * @returns a function that removes the listeners
 */
export function onSchemeChange(changed: () => void): () => void {
  const queries = ['(prefers-color-scheme: dark)', '(forced-colors: active)'].map((query) =>
    matchMedia(query),
  );
  for (const query of queries) query.addEventListener('change', changed);
  return () => {
    for (const query of queries) query.removeEventListener('change', changed);
  };
}
