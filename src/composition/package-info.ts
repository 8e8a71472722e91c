import { readFileSync } from 'node:fs';
import type { ServiceIdentity } from '#application/operation/get-info.js';

/** Version and repository from package.json. */
export const PACKAGE_INFO: ServiceIdentity = packageInfo();

function packageInfo(): ServiceIdentity {
  const { version, repository } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as {
    version: string;
    repository: { url: string };
  };
  return { version, repository: repository.url.replace(/^git\+/, '').replace(/\.git$/, '') };
}

/** Reads the C header, which is installed with the program. */
export function readCHeader(): string {
  return readFileSync(packageFile('clients/c/weatherd.h'), 'utf8');
}

/**
 * The URL of a file of this package. The package is found by its name and not by a relative path, because the code has different
 * folders: `dist/src/` in tests, and the bundle in `dist/service/` otherwise.
 *
 * @param path path relative to package.json
 */
export function packageFile(path: string): URL {
  return new URL(path, import.meta.resolve('weatherd/package.json'));
}
