// Lists the languages of the site: writes one entry for each `xx.ts` in the folder of the texts, and for each `xx/admin.ts`,
// `xx/imports.ts` and so on (`PARTS`), whose texts are loaded with their parts of the site.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const TEXTS = fileURLToPath(new URL('../src/adapters/site/client/text/', import.meta.url));

/** Parts of the site that load their texts themselves. */
const PARTS = {
  admin: 'the administration',
  imports: 'the imports of files in the administration',
  setup: 'the page on which the first administrator is created',
  panels: 'the panels of the administration that are loaded later',
  sources: 'the sources in the administration',
  notices: 'the notices of quality control',
  usual: 'the section that compares a station with its own record',
  climate: 'the climate of a station',
  proof: 'the page about the quality of forecasts',
};

/** The list of texts, and the lists of the texts of parts, by path in the folder of the texts. */
export function languageLists(folder = TEXTS) {
  const tags = readdirSync(folder)
    .map((name) => /^([a-z]{2,3}(?:-[A-Za-z0-9]+)*)\.ts$/.exec(name)?.[1])
    .filter((tag) => tag !== undefined)
    .toSorted();
  return {
    'catalogs.ts': [
      HEADING,
      '/** Loads the texts of each language. The names of the properties are language tags (BCP 47). */',
      'export const CATALOGS = {',
      ...tags.map((tag) => `  ${keyOf(tag)}: async () => (await import('./${tag}.js')).${nameOf(tag)},`),
      '};',
      '',
    ].join('\n'),
    ...Object.fromEntries(
      Object.entries(PARTS).map(([part, meaning]) => [
        `${part}-catalogs.ts`,
        partList(
          part,
          meaning,
          tags.filter((tag) => existsSync(`${folder}${tag}/${part}.ts`)),
        ),
      ]),
    ),
  };
}

/** The list of the texts of a part. */
function partList(part, meaning, tags) {
  return [
    HEADING,
    ...tags.map((tag) => `import { ${part} as ${nameOf(tag)} } from './${tag}/${part}.js';`),
    '',
    `/** The texts of ${meaning}, by language tag (BCP 47). */`,
    `export const CATALOGS_OF_${part.toUpperCase()} = { ${tags.map(entryOf).join(', ')} };`,
    '',
  ].join('\n');
}

const HEADING = '// scripts/languages.mjs writes this file.';

/** Writes the lists that have changed. */
export function writeLanguageLists(folder = TEXTS) {
  for (const [name, list] of Object.entries(languageLists(folder))) {
    const path = `${folder}${name}`;
    if (!existsSync(path) || readFileSync(path, 'utf8') !== list) writeFileSync(path, list);
  }
}

/** The name of a language in TypeScript: `ptBR` for `pt-BR`. */
function nameOf(tag) {
  return tag.replaceAll('-', '');
}

function keyOf(tag) {
  return tag.includes('-') ? `'${tag}'` : tag;
}

function entryOf(tag) {
  return tag.includes('-') ? `'${tag}': ${nameOf(tag)}` : tag;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeLanguageLists();
