import { readFileSync } from 'node:fs';
import type { ServiceIdentity } from '../application/operation/get-info.js';

/** Version and repository as package.json, three folders above the compiled file, has them. */
export function readPackageInfo(): ServiceIdentity {
  const file = new URL('../../../package.json', import.meta.url);
  const { version, repository } = JSON.parse(readFileSync(file, 'utf8')) as {
    version: string;
    repository: { url: string };
  };
  return { version, repository: repository.url.replace(/^git\+/, '').replace(/\.git$/, '') };
}

/** The C header, which lies beside the program as its sources do. */
export function readHeader(): string {
  return readFileSync(new URL('../../../clients/c/weatherd.h', import.meta.url), 'utf8');
}
