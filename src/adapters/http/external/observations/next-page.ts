/** Description of the header `Link` in the OpenAPI document. */
export const LINK_HEADER = {
  Link: '`<…>; rel="next"` (RFC 8288): the address of the next page, relative to this page. Absent on the last page.',
};

/**
 * The header `Link` (RFC 8288). Its target has the query of this page with the cursor of the next page. The target is relative to
 * the URL of the request.
 */
export function nextPageLink(search: string, next: number | string | null): Record<string, string> {
  if (next === null) return {};
  const kept = search.split('&').filter((field) => field !== '' && nameOf(field) !== 'cursor');
  // Encodes the characters of the request target that are not allowed in a URI (RFC 3986). The character `>` must be encoded,
  // because it would end the reference in the header.
  const query = [...kept, `cursor=${next}`]
    .join('&')
    .replace(/[^\w.~!$&'()*+,;=:@%/?-]/g, encodeURIComponent);
  return { link: `<?${query}>; rel="next"` };
}

function nameOf(field: string): string {
  return decodeURIComponent(field.split('=', 1)[0] as string);
}
