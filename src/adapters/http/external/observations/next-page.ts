/** Description of the header `Link` in the OpenAPI document. */
export const LINK_HEADER = {
  Link: '`<…>; rel="next"` (RFC 8288): the address of the next page, relative to this page. Absent on the last page.',
};

/**
 * The header `Link` (RFC 8288). It has the query of this page with the next cursor, as a reference relative to the request.
 */
export function nextPageLink(search: string, next: number | string | null): Record<string, string> {
  if (next === null) return {};
  const kept = search.split('&').filter((field) => field !== '' && nameOf(field) !== 'cursor');
  // Some characters of the request target are not allowed in a URI (RFC 3986), and `>` would end the reference in the header.
  const query = [...kept, `cursor=${next}`]
    .join('&')
    .replace(/[^\w.~!$&'()*+,;=:@%/?-]/g, encodeURIComponent);
  return { link: `<?${query}>; rel="next"` };
}

function nameOf(field: string): string {
  return decodeURIComponent(field.split('=', 1)[0] as string);
}
