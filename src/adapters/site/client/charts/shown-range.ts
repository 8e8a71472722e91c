import { signal } from '@preact/signals-core';
import type { ShownRange } from './model/span.js';

/** The time that the charts show, for other parts of the page. It is set in browsers only: the service renders many pages at a time. */
export const shownRange = signal<ShownRange | undefined>(undefined);
