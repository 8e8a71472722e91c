import { readFileSync } from 'node:fs';
import type { ServiceIdentity } from '../application/operation/get-info.js';

/** Version and repository from package.json, which is three folders above the compiled file. */
export function readPackageInfo(): ServiceIdentity {
  const file = new URL('../../../package.json', import.meta.url);
  const { version, repository } = JSON.parse(readFileSync(file, 'utf8')) as {
    version: string;
    repository: { url: string };
  };
  return { version, repository: repository.url.replace(/^git\+/, '').replace(/\.git$/, '') };
}

/** Reads the C header, which is installed with the program. */
export function readHeader(): string {
  return readFileSync(new URL('../../../clients/c/weatherd.h', import.meta.url), 'utf8');
}
