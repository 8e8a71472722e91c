import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Expressions whose time grows with the square of their text, or faster. */
const SLOW = [
  String.raw`/^\s*[+-]?(?:\d+\.?\d*|\.\d+)\s*$/`,
  String.raw`/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i`,
  String.raw`/(?<=:\d\d(?:[.,]\d+)?) (?=\d\d:?\d\d$)/`,
  String.raw`/\s+HTTP\/\d(?:\.\d)?\s*$/`,
  String.raw`/^(\w+)\s*:\s*(.*?)\s*$/`,
  String.raw`/^(.*?)\s*(?:[([]([^()[\]]*)[)\]]|,\s+(\S+))$/s`,
  // They begin again within a loop of theirs.
  String.raw`/https?:\S+\.js/`,
  String.raw`/units.*; .*other/`,
  String.raw`/LBL: [^,]*\bair\b/i`,
  String.raw`/(?<![a-z])LBL: [^,]*\bair\b/i`,
  // It takes exponential time.
  String.raw`/^(?:\w+\s?)+$/`,
  // A loop with a large end, loops that look behind and ahead.
  String.raw`/^a{0,5000}a{0,5000}b/`,
  String.raw`/(?<=:.*)b/`,
  String.raw`/b(?!.*x)/`,
];

const SOUND = [
  String.raw`/^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)\s*$/`,
  String.raw`/(:\d\d(?:[.,]\d+)?) (\d\d:?\d\d)$/`,
  String.raw`/"version":"([^"]+)"/`,
  String.raw`/(?<![^\s(])(file:\/\/[^\s()]+\.js):(\d+)/g`,
  String.raw`/(?<!a*)b/`,
  String.raw`''.match(/x{2,300}/)`,
];

const BUILT_WITHOUT_REASON = [
  'new RegExp(process.argv[2])',
  "RegExp(process.argv[2], 'g')",
  'new globalThis.RegExp(process.argv[2])',
  'Reflect.construct(RegExp, process.argv)',
  "''.match('x')",
  "''.search(`x${process.argv[2]}`)",
  "''.matchAll('x' + process.argv[2])",
  "''.match(TEXT)",
];
const REASON = '// Expression of an argument: it is the operator who gives it.';
/** It does not excuse an expression that can be read where it stands. */
const SLOW_WITH_REASON = [
  "new RegExp('(a+)+$')",
  "RegExp(`^${TEXT}(a+)+$`, 'i')",
  'RegExp(String.raw`\\s+$`)',
];
const BEFORE = ["const TEXT = 'x';"];
const AFTER = [
  REASON,
  'new RegExp(process.argv[2])',
  'void ((one: RegExp, other) => other instanceof RegExp);',
];

describe('regular expressions', () => {
  let folder: string;
  let faults: { readonly rule: string; readonly line: number }[];
  const lines = [
    ...BEFORE,
    ...[...SLOW, ...SOUND, ...BUILT_WITHOUT_REASON].map((text) => `void ${text};`),
    ...SLOW_WITH_REASON.flatMap((text) => [REASON, `void ${text};`]),
  ];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'expressions-'));
    // The settings of the project, whose rules hold below `src`.
    const settings = JSON.parse(await readFile(join(ROOT, '.oxlintrc.json'), 'utf8')) as {
      jsPlugins: string[];
      overrides: unknown;
    };
    const jsPlugins = settings.jsPlugins.map((path) => join(ROOT, path));
    await writeFile(join(folder, 'rules.json'), JSON.stringify({ jsPlugins, overrides: settings.overrides }));
    await mkdir(join(folder, 'src'));
    await writeFile(join(folder, 'src/planted.ts'), [...lines, ...AFTER].join('\n'));
    const oxlint = join(ROOT, 'node_modules/.bin/oxlint');
    const output = await new Promise<string>((resolve) => {
      execFile(oxlint, ['-c', 'rules.json', '-f', 'json', 'src'], { cwd: folder }, (_error, text) =>
        resolve(text),
      );
    });
    const { diagnostics } = JSON.parse(output) as {
      diagnostics: { code: string; labels: { span: { line: number } }[] }[];
    };
    faults = diagnostics.flatMap(({ code, labels }) =>
      labels.slice(0, 1).map(({ span }) => ({ rule: code, line: span.line })),
    );
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const rulesAt = (text: string) => {
    const line = lines.indexOf(`void ${text};`) + 1;
    return faults.filter((fault) => fault.line === line).map(({ rule }) => rule);
  };

  for (const text of [...SLOW, ...SLOW_WITH_REASON]) {
    it(`refuses ${text}`, () => expect(rulesAt(text)).to.deep.equal(['expressions(slow)']));
  }

  for (const text of SOUND) {
    it(`accepts ${text}`, () => expect(rulesAt(text)).to.deep.equal([]));
  }

  for (const text of BUILT_WITHOUT_REASON) {
    it(`refuses ${text} without a reason`, () => expect(rulesAt(text)).to.deep.equal(['expressions(built)']));
  }

  it('accepts an expression that is made of text with a reason', () => {
    expect(faults.filter(({ line }) => line > lines.length)).to.deep.equal([]);
  });
});
