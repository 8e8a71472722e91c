import { readFileSync } from 'node:fs';

/** A file as `scripts/bundle-site.mjs` built it. */
export interface SiteFile {
  readonly mediaType: string;
  /** SHA-256 of the plain content, shortened; it is also in the name of the file. */
  readonly hash: string;
  /** The content by content coding: `identity`, and `br` and `gzip` if they are smaller. */
  readonly contents: ReadonlyMap<string, Uint8Array>;
}

/** The entries of `manifest.json`, by the name of the source. */
type Manifest = Readonly<
  Record<
    string,
    {
      readonly file: string;
      readonly mediaType: string;
      readonly hash: string;
      readonly codings: readonly string[];
    }
  >
>;

const SUFFIX: Readonly<Record<string, string>> = { identity: '', br: '.br', gzip: '.gz' };

export interface SiteFiles {
  /** Addresses by the name of the source: `main` → `/assets/main-1a2b3c.js`. */
  readonly addresses: Readonly<Record<string, string>>;
  /** By the name in the address. */
  readonly byName: ReadonlyMap<string, SiteFile>;
}

/**
 * Reads all built files into memory (less than 2 MB). A request is answered from this table alone, so no path of a request
 * reaches the file system.
 *
 * @param folder `dist/site/`
 * @throws Error if the site has not been built
 */
export function readSiteFiles(folder: URL): SiteFiles {
  const manifest = JSON.parse(readFileSync(new URL('manifest.json', folder), 'utf8')) as Manifest;
  const addresses: Record<string, string> = {};
  const byName = new Map<string, SiteFile>();
  for (const [source, { file, mediaType, hash, codings }] of Object.entries(manifest)) {
    addresses[source] = `/assets/${file}`;
    const contents = codings.map((coding): [string, Uint8Array] => [
      coding,
      readFileSync(new URL(`assets/${file}${SUFFIX[coding] ?? ''}`, folder)),
    ]);
    byName.set(file, { mediaType, hash, contents: new Map(contents) });
  }
  return { addresses, byName };
}
