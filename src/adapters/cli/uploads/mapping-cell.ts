import type { FieldMapping } from '#domain/uploads/field-mapping.js';

/** The variable of a mapping with its unit and its options. */
export function mappingCell({
  variable,
  unit,
  scale = 1,
  offset = 0,
  counter = false,
  station,
}: FieldMapping<string | null>): string {
  const change = `${scale === 1 ? '' : ` × ${scale}`}${offset === 0 ? '' : ` + ${offset}`}`;
  const where = station === undefined ? '' : ` of ${station ?? '(removed)'}`;
  return `${variable}${unit === undefined ? '' : ` in ${unit}`}${change}${counter ? ', counter' : ''}${where}`;
}
