import type { AnyEndpoint } from '../endpoint.js';

/**
 * The name of an operation in generated code, built from the method and the words of the path. A word before a parameter becomes
 * singular: `GET /v1/stations/{id}/observations` → `getStationObservations`.
 */
export function operationIdOf({ method, path, operationId }: AnyEndpoint): string {
  if (operationId !== undefined) return operationId;
  const segments = path.split('/').filter((segment) => segment !== '' && !/^v\d+$/.test(segment));
  const words = segments.flatMap((segment, index) => {
    if (segment.startsWith('{')) return [];
    const isSingular = segments[index + 1]?.startsWith('{') === true;
    return (isSingular ? singular(segment) : segment).split(/[^A-Za-z0-9]+/);
  });
  if (words.length === 0) words.push('info');
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

function singular(word: string): string {
  return word.replace(/s$/, '');
}
