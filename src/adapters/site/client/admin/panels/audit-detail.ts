import type { Reply } from '../../api.js';

type Detail = Reply<'/v1/audit', 'get'>['events'][number]['detail'];

/** Writes the details of an event as one text: `rows=2 inserted=2`. */
export function detailText(detail: Detail): string {
  return Object.entries(detail ?? {})
    .map(([name, value]) => `${name}=${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
    .join(' ');
}
