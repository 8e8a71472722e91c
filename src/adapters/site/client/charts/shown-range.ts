import { signal } from '@preact/signals-core';
import type { ShownRange } from './model/span.js';

/**
 * The range that the charts show, for other sections of the page. The value is set only in the browser. The server renders pages
 * of many visitors at the same time, so a shared value would be wrong there.
 */
export const shownRange = signal<ShownRange | undefined>(undefined);
