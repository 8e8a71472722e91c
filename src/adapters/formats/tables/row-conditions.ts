import type { RowCondition } from '../files/file-plan.js';
import type { Fields } from './line-fields.js';

export function cellText(fields: Fields, at: number): string {
  return fields.at(at)?.trim() ?? '';
}

/** Whether a row meets a condition. */
export function isMet(when: RowCondition, fields: Fields): boolean {
  const text = cellText(fields, when.at);
  if ('matches' in when) return when.matches.test(text);
  return 'texts' in when ? when.texts.includes(text) : !when.not.includes(text);
}
