import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Writes the licenses of all packages in a bundle to `LICENSES.txt`, and the packages to `packages.json` for `sbom.mjs`.
 *
 * @param folder folder of the bundle
 * @param inputs paths of the source files of the bundle
 * @param notice text that follows the licenses
 */
export function writeLicenses(folder, inputs, notice = '') {
  const folders = inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  const packages = [...new Set(folders.sort((a, b) => (a < b ? -1 : 1)))].map((path) => ({
    path,
    ...JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')),
  }));
  writeFileSync(
    join(folder, 'LICENSES.txt'),
    packages.map(licenseText).join(`\n${'-'.repeat(80)}\n\n`) + notice,
  );
  const listed = packages.map(({ name, version, license }) => ({ name, version, license }));
  writeFileSync(join(folder, 'packages.json'), JSON.stringify(listed));
}

function licenseText({ path, name, version, license, repository }) {
  const files = readdirSync(path).filter((entry) => /^(?:licen[cs]e|copying)/i.test(entry));
  const parts = files.map((file) => readFileSync(join(path, file), 'utf8').trim());
  if (parts.length === 0) parts.push(`License: ${license}\nSource: ${repository?.url ?? repository}`);
  return `${name} ${version}\n\n${parts.join('\n\n')}\n`;
}
