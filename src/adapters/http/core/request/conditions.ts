/** Headers of a conditional request (RFC 9110, section 13.1), as they were sent. */
export interface Preconditions {
  readonly ifMatch: string | undefined;
  readonly ifNoneMatch: string | undefined;
}

/**
 * Whether a request with this method may be refused because of If-Match or If-None-Match. An endpoint with such a method either
 * compares the versions or refuses every request with these headers.
 */
export function comparesVersions(method: string): boolean {
  return method === 'PUT' || method === 'DELETE';
}

/**
 * Whether a request that changes something may proceed (RFC 9110, sections 13.1.1 and 13.1.2).
 *
 * @param etag strong ETag of the current version, without quotes; undefined if there is no version
 */
export function arePreconditionsMet(
  { ifMatch, ifNoneMatch }: Preconditions,
  etag: string | undefined,
): boolean {
  const exists = etag !== undefined;
  // If-Match needs the strong comparison (RFC 9110, section 8.8.3.2). A weak ETag never matches in the strong comparison.
  if (
    ifMatch !== undefined &&
    !(ifMatch.trim() === '*' ? exists : exists && tagsOf(ifMatch).includes(`"${etag}"`))
  )
    return false;
  if (ifNoneMatch === undefined || !exists) return true;
  // Node joins two headers If-None-Match to one list. The list `*, *` must have the same effect as `*`.
  return !tagsOf(ifNoneMatch).some((tag) => tag === '*' || withoutWeakPrefix(tag) === `"${etag}"`);
}

/**
 * Whether the client has the version `etag` (RFC 9110, section 13.1.2). The comparison is weak, as the section requires.
 *
 * @param condition the header If-None-Match
 */
export function clientHasVersion(condition: string | undefined, etag: string): boolean {
  return !arePreconditionsMet({ ifMatch: undefined, ifNoneMatch: condition }, etag);
}

function tagsOf(list: string): string[] {
  return list.split(',').map((tag) => tag.trim());
}

function withoutWeakPrefix(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag;
}
