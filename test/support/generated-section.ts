import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { format } from 'oxfmt';

const DOCS = new URL('../../../docs/', import.meta.url);

/**
 * Expects that a page contains a generated section, between `<!-- NAME: made by … -->` and `<!-- end of NAME -->`. With
 * UPDATE_GOLDEN=1 the function writes the section instead.
 *
 * @param page path below docs/
 * @param content Markdown; the function formats it as the other pages
 */
export async function expectSection(page: string, name: string, content: string): Promise<void> {
  const path = fileURLToPath(new URL(page, DOCS));
  const text = readFileSync(path, 'utf8');
  const begin = `<!-- ${name}: made by UPDATE_GOLDEN=1 npm test -->\n\n`;
  const start = text.indexOf(begin) + begin.length;
  const end = text.indexOf(`\n<!-- end of ${name} -->`);
  expect(start, `the start of "${name}" in docs/${page}`).to.be.within(begin.length, end);
  const { code: expected } = await format(path, content, { printWidth: 110 });
  if (process.env['UPDATE_GOLDEN'] !== undefined)
    writeFileSync(path, text.slice(0, start) + expected + text.slice(end));
  else expect(text.slice(start, end)).to.equal(expected);
}
