import { readFileSync } from 'node:fs';

/** A file that `scripts/bundle-site.mjs` built. */
export interface SiteFile {
  readonly mediaType: string;
  /** Shortened SHA-256 of the uncompressed content. The name of the file also contains this hash. */
  readonly hash: string;
  /** Contents by content coding: `identity` always, `br` and `gzip` only if they are smaller than `identity`. */
  readonly contents: ReadonlyMap<string, Uint8Array>;
}

/** Content of `manifest.json`: one entry for each source file, by the name of this file. */
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
  /** URLs by the name of the source file: `main` → `/assets/main-1a2b3c.js`. */
  readonly addresses: Readonly<Record<string, string>>;
  /** Files by the last segment of their URL. */
  readonly byName: ReadonlyMap<string, SiteFile>;
}

/**
 * Reads all built files into memory (less than 2 MB). The service answers requests from memory only, so a path in a request never
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
