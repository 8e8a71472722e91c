import { signal } from '@preact/signals-core';
import type { ShownRange } from './model/span.js';

/**
 * The range that the charts show, for other parts of the page. Only browsers set it, because the service renders pages of many
 * visitors at the same time.
 */
export const shownRange = signal<ShownRange | undefined>(undefined);
