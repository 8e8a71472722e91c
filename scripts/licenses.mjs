import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the licenses of all packages in a bundle. @param inputs paths of the source files of the bundle */
export function licenses(inputs) {
  const folders = inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  const texts = [...new Set(folders.sort((a, b) => (a < b ? -1 : 1)))].map((folder) => {
    const { name, version, license, repository } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    );
    const files = readdirSync(folder).filter((entry) => /^(?:licen[cs]e|copying)/i.test(entry));
    const parts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
    if (parts.length === 0) parts.push(`License: ${license}\nSource: ${repository?.url ?? repository}`);
    return `${name} ${version}\n\n${parts.join('\n\n')}\n`;
  });
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
}
