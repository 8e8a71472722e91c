import { readdirSync } from 'node:fs';
import { relative } from 'node:path';
import { type Node, parse } from 'acorn';
import { buildSync } from 'esbuild';

/**
 * Matches a sentence: three words or more, or two words with a punctuation mark at the end. Shorter texts are names, keys and
 * units.
 */
const SENTENCE = /^(?:\S+\s+){2,}\S|^\S+\s+\S+[.?!:]$/;
/** Matches texts that are not for people: SQL statements, styles, drawings, markup, patterns, and fields of other programs. */
const CODE =
  /^\s*(?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|WITH|PRAGMA|BEGIN|COMMIT|SET|FROM|WHERE|ORDER|JOIN|AND|OR|ON|VALUES|LOCK|GRANT|COPY|RETURNING|LIMIT|UNION|GROUP|CAST|CASE|EXISTS|NOT)\b|\bAS \w|\w\.\w+ = |[{;}]\s*$|^\s*[<.#@(]|=>|\\[dsw]|&\w+=|^[\d\s.,:;|-]+$|^M-?[\d{]|px system-ui|^0 0 \{|\w:not\(/;

interface Parent extends Node {
  readonly [key: string]: unknown;
}

/**
 * Finds the texts in source files that people read: string literals that are sentences, and all texts of the site. `{}` stands
 * for a value in a text.
 *
 * @param root folder of the source files. Built files are not suitable: the file of a thread contains the modules that it
 *   imports, so texts would be repeated
 * @param isShown whether people read the texts of a file; gets the path of the file below `root`
 * @returns lines `path: text`, sorted by path and then in the order of the file. A text that a file contains several times is
 *   listed once
 */
export function messagesIn(root: string, isShown: (path: string) => boolean): string[] {
  const lines = textsIn(root, isShown)
    .filter(({ path, text }) => /\/client\/text\/en\//.test(path) || isMessage(text))
    .map(({ path, text }) => `${path}: ${text}`);
  return [...new Set(lines)];
}

/** All texts of source files, with the paths of the files without their ending. */
export function textsIn(
  root: string,
  isShown: (path: string) => boolean,
): { readonly path: string; readonly text: string }[] {
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (path) => /\.tsx?$/.test(path) && isShown(path),
  );
  // One build of all files, because each call of the synchronous functions of esbuild starts a process.
  const { outputFiles } = buildSync({
    absWorkingDir: root,
    entryPoints: paths,
    outbase: root,
    outdir: root,
    tsconfigRaw: {},
    write: false,
  });
  const codes = new Map(outputFiles.map(({ path, text }) => [relative(root, path).slice(0, -3), text]));
  return paths.toSorted().flatMap((file) => {
    const path = file.replace(/\.tsx?$/, '');
    const texts: string[] = [];
    const code = codes.get(path) as string;
    visit(parse(code, { ecmaVersion: 'latest', sourceType: 'module' }), (text) => void texts.push(text));
    return texts.map((text) => ({ path, text }));
  });
}

function isMessage(text: string): boolean {
  return SENTENCE.test(text) && !CODE.test(text);
}

function visit(node: Node, add: (text: string) => void): void {
  const { type, ...parts } = node as Parent;
  if (type === 'ImportDeclaration' || type === 'TaggedTemplateExpression') return;
  const text = textOf(node as Parent);
  if (text !== undefined) add(JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"'));
  for (const part of Object.values(parts))
    for (const one of Array.isArray(part) ? part : [part]) if (isNode(one)) visit(one, add);
}

/** @returns the text of a string or a template; undefined for other nodes */
function textOf(node: Parent): string | undefined {
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? node['value'] : undefined;
  if (node.type === 'TemplateLiteral')
    return (node['quasis'] as readonly { value: { cooked: string } }[])
      .map(({ value }) => value.cooked)
      .join('{}');
  return undefined;
}

function isNode(part: unknown): part is Node {
  return typeof part === 'object' && part !== null && 'type' in part && typeof part.type === 'string';
}
