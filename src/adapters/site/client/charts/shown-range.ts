import { signal } from '@preact/signals-core';
import type { ShownRange } from './model/span.js';

/**
 * The range that the charts show, for other sections of the page. The value is set only in browsers, because the service renders
 * pages of many visitors at the same time.
 */
export const shownRange = signal<ShownRange | undefined>(undefined);
