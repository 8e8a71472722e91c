import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Packages that contain no text of their license: the holder of the copyright, and where their sources are. The text is the one of
 * their `license`, from `license-texts/`.
 */
const WITHOUT_TEXT = {
  // The license and the holder are in its README.md.
  '@resvg/resvg-wasm': {
    copyright: 'Copyright (c) 2021-present, yisibl(一丝)',
    source: 'https://github.com/yisibl/resvg-js',
  },
  // The license is in its Readme.md, and the author in its package.json.
  'abstract-logging': {
    copyright: 'Copyright (c) James Sumners',
    source: 'https://github.com/jsumners/abstract-logging',
  },
  // Both holders are in the files LICENSE.md and LICENSE of the sources.
  '@protomaps/basemaps': {
    copyright: 'Copyright 2019-2023 Protomaps LLC, Kelso Cartography',
    source: 'https://github.com/protomaps/basemaps',
  },
  pmtiles: {
    copyright: 'Copyright 2021 Protomaps LLC',
    source: 'https://github.com/protomaps/PMTiles',
  },
};

/** The licenses of packages whose package.json names none, from their texts. */
const WITHOUT_NAME = { suncalc: 'BSD-2-Clause' };

/** A sentence that a README.md contains if it contains the whole text of a license. */
const PERMISSION = /Permission is hereby granted|Redistribution and use in source and binary forms/;

/**
 * Writes the licenses of all packages in a bundle to `LICENSES.txt`, and the packages to `packages.json` for `sbom.mjs`.
 *
 * @param folder folder of the bundle
 * @param inputs paths of the source files of the bundle
 * @param notice text that follows the licenses
 */
export function writeLicenses(folder, inputs, notice = '') {
  const folders = inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  const packages = [...new Set(folders.sort((a, b) => (a < b ? -1 : 1)))].map((path) => {
    const { name, version, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
    return { path, name, version, license: license ?? WITHOUT_NAME[name] };
  });
  writeFileSync(
    join(folder, 'LICENSES.txt'),
    packages.map(licenseText).join(`\n${'-'.repeat(80)}\n\n`) + notice,
  );
  const listed = packages.map(({ name, version, license }) => ({ name, version, license }));
  writeFileSync(join(folder, 'packages.json'), JSON.stringify(listed));
}

function licenseText({ path, name, version, license }) {
  const files = readdirSync(path).filter((entry) => /^(?:licen[cs]e|copying)/i.test(entry));
  const parts = files.map((file) => readFileSync(join(path, file), 'utf8').trim());
  if (parts.length === 0) parts.push(readmeText(path) ?? standardText(name, license));
  return `${name} ${version}\n\n${parts.join('\n\n')}\n`;
}

/** The chapter about the license in the README.md of a package, if it contains the text of the license. */
function readmeText(path) {
  const readme = readdirSync(path).find((entry) => /^readme\.md$/i.test(entry));
  if (readme === undefined) return undefined;
  const [, chapter = ''] =
    /^## licen[cs]e$(.*?)(?=^## |(?![^]))/ims.exec(readFileSync(join(path, readme), 'utf8')) ?? [];
  return PERMISSION.test(chapter) ? chapter.trim() : undefined;
}

function standardText(name, license) {
  const known = WITHOUT_TEXT[name];
  if (known === undefined)
    throw new Error(
      `The package ${name} contains no text of its license (${license}): add it to scripts/licenses.mjs.`,
    );
  const text = readFileSync(new URL(`license-texts/${license}.txt`, import.meta.url), 'utf8').trim();
  return `License: ${license}\nSource: ${known.source}\n\n${known.copyright}\n\n${text}`;
}
