import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

const PROJECT = fileURLToPath(new URL('../../../', import.meta.url));
/** The files that the service needs in addition to its packages and `dist/service`. */
const PARTS = ['package.json', 'bin/weatherd.mjs', 'clients/c/weatherd.h', 'docs/openapi-external.json'];

/** Writes the built service of this project to one compressed file. */
export async function writeService(path: string): Promise<void> {
  const bundle = await readdir(join(PROJECT, 'dist/service'));
  const names = [
    ...PARTS,
    ...bundle.filter((name) => name.endsWith('.js')).map((name) => `dist/service/${name}`),
  ];
  const files: Record<string, string> = {};
  for (const name of names) files[name] = await readFile(join(PROJECT, name), 'utf8').catch(() => '');
  const options = { params: { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS } };
  await writeFile(path, brotliCompressSync(JSON.stringify(files), options));
}

/**
 * Unpacks a service into a folder. The service uses the packages of this project.
 *
 * @returns path of its main program
 */
export async function unpackService(path: string, folder: string): Promise<string> {
  const files = JSON.parse(brotliDecompressSync(await readFile(path)).toString()) as Record<string, string>;
  for (const [name, text] of Object.entries(files)) {
    const target = join(folder, name);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, text);
  }
  await symlink(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
  return join(folder, 'bin/weatherd.mjs');
}
