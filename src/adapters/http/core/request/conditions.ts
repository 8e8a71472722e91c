/** Headers of a conditional request (RFC 9110, section 13.1), as they were sent. */
export interface Preconditions {
  readonly ifMatch: string | undefined;
  readonly ifNoneMatch: string | undefined;
}

/** Whether requests of this method with If-Match or If-None-Match compare versions, or are refused. */
export function comparesVersions(method: string): boolean {
  return method === 'PUT' || method === 'DELETE';
}

/**
 * Whether a request that changes something may proceed (RFC 9110, sections 13.1.1 and 13.1.2).
 *
 * @param etag of the present version, strong and without its quotes; undefined if there is none
 */
export function arePreconditionsMet(
  { ifMatch, ifNoneMatch }: Preconditions,
  etag: string | undefined,
): boolean {
  const exists = etag !== undefined;
  // Strong comparison: a weak ETag never matches.
  if (
    ifMatch !== undefined &&
    !(ifMatch.trim() === '*' ? exists : exists && tagsOf(ifMatch).includes(`"${etag}"`))
  )
    return false;
  if (ifNoneMatch === undefined || !exists) return true;
  // Two headers arrive as a list: `*, *` must not let a request replace what exists.
  return !tagsOf(ifNoneMatch).some((tag) => tag === '*' || withoutWeakness(tag) === `"${etag}"`);
}

/**
 * Whether the client has the version `etag` (RFC 9110, section 13.1.2). The comparison is weak, as the section requires.
 *
 * @param condition the header If-None-Match
 */
export function isHeld(condition: string | undefined, etag: string): boolean {
  return !arePreconditionsMet({ ifMatch: undefined, ifNoneMatch: condition }, etag);
}

function tagsOf(list: string): string[] {
  return list.split(',').map((tag) => tag.trim());
}

function withoutWeakness(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag;
}
