import { fork } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Baseline, Ran } from './mutants-case.js';
import { type Mutation, mutationsOf } from './mutations.js';

/**
 * `npm run bench mutants [NUMBER [SEED [FOLDER…]]]` shows how many faults the tests of the domain and the application detect. It
 * works on a copy of the built files, with one process at a time:
 *
 * - It makes NUMBER changes, one after the other. Each changes one token.
 * - For each change it runs the tests of the domain and the application until the first failure.
 * - It prints the changes that no test detected.
 *
 * SEED determines the changes. FOLDER is a folder of `src`, or a file without its ending; by default the folders are `domain` and
 * `application`.
 */
const [number = '60', seed = '1', ...selected] = process.argv.slice(2);
const folders = selected.length > 0 ? selected : ['domain', 'application'];
const checkout = fileURLToPath(new URL('../..', import.meta.url));
const script = fileURLToPath(new URL('mutants-case.js', import.meta.url));
/** Time limit of a test in ms, in addition to five times the duration of the longest test without a change. */
const TIME_LIMIT = 20_000;

/**
 * Options of Node.js that turn inlining off, because V8 does not count the calls of a function that is inlined into another
 * function.
 */
const COUNTED = ['--no-turbo-inlining', '--no-maglev'];

interface Mutant extends Mutation {
  readonly file: string;
  readonly code: string;
}

const chance = randomNumbers(Number(seed));
const copy = mkdtempSync(join(tmpdir(), 'weatherd-mutants-'));
try {
  makeCopy();
  const tests = ['domain', 'application'].flatMap((folder) => filesIn(`dist/test/${folder}`, '.test.js'));
  const result = join(copy, 'baseline.json');
  const begin = performance.now();
  if (!(await passes(tests, TIME_LIMIT * 10, result))) throw new Error('Tests fail without a change.');
  const baseline = JSON.parse(readFileSync(result, 'utf8')) as Baseline;
  process.stderr.write(`${tests.length} test files without a change: ${secondsSince(begin)} s\n`);

  const mutants = folders.flatMap((folder) => filesIn(`dist/src/${folder}`, '.js').flatMap(mutantsOf));
  const chosen = sample(mutants, Number(number));
  const imports = new Map<string, readonly string[]>();
  let [noticed, notRun] = [0, 0];
  for (const [index, mutant] of chosen.entries()) {
    const files = testsOf(mutant, baseline, tests, imports);
    if (files.length === 0) notRun += 1;
    const isNoticed = files.length > 0 && !(await survives(mutant, files, baseline));
    if (isNoticed) noticed += 1;
    else console.log(`${describe(mutant)}${files.length === 0 ? ' (no test runs it)' : ''}`);
    process.stderr.write(`${index + 1} of ${chosen.length}, noticed ${noticed}, ${secondsSince(begin)} s\n`);
  }
  const share = ((100 * noticed) / chosen.length).toFixed(0);
  console.log(
    `Seed ${seed}: ${noticed} of ${chosen.length} changes noticed (${share} %), ${notRun} in code that no test runs; ` +
      `${mutants.length} are possible; ${secondsSince(begin)} s.`,
  );
} finally {
  rmSync(copy, { recursive: true });
}

/** Copies the built files, and links all other files of the checkout. */
function makeCopy(): void {
  const isCopied = (name: string) => name === 'dist' || name === 'package.json';
  for (const name of readdirSync(checkout)) {
    if (name.startsWith('.')) continue;
    if (isCopied(name)) cpSync(join(checkout, name), join(copy, name), { recursive: true });
    else symlinkSync(join(checkout, name), join(copy, name));
  }
}

/** @param folder path of a folder below the copy, or of a file without its ending */
function filesIn(folder: string, ending: string): string[] {
  const file = join(copy, `${folder}${ending}`);
  if (existsSync(file)) return [file];
  const names = readdirSync(join(copy, folder), { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => name.endsWith(ending))
    .map((name) => join(copy, folder, name))
    .sort();
}

function mutantsOf(file: string): Mutant[] {
  const code = readFileSync(file, 'utf8');
  return mutationsOf(code, chance).map((mutation) => ({ ...mutation, file, code }));
}

/** Whether all tests pass. A test that does not end in `timeLimit` ms fails. @param result file for the coverage, or '' */
function passes(files: readonly string[], timeLimit: number, result = ''): Promise<boolean> {
  const child = fork(script, [result, ...files], {
    cwd: copy,
    stdio: 'ignore',
    execArgv: ['--max-old-space-size=2048', ...(result === '' ? [] : COUNTED)],
  } as never);
  const stop = () => child.kill('SIGKILL');
  let timer = setTimeout(stop, timeLimit);
  child.on('message', () => {
    clearTimeout(timer);
    timer = setTimeout(stop, timeLimit);
  });
  return new Promise((settle) => {
    child.once('exit', (status) => {
      clearTimeout(timer);
      settle(status === 0);
    });
  });
}

async function survives(
  { file, code, from, to, text }: Mutant,
  files: readonly string[],
  baseline: Baseline,
): Promise<boolean> {
  const longest = Math.max(...files.map((each) => baseline.files[each]?.longest ?? 0));
  writeFileSync(file, code.slice(0, from) + text + code.slice(to));
  try {
    return await passes(files, TIME_LIMIT + 5 * longest);
  } finally {
    writeFileSync(file, code);
  }
}

/**
 * The test files that run the code at the position of a change. The tests with the fewest imports between them and the changed
 * file come first. Of tests with equally many imports, fast tests come before slow tests.
 */
function testsOf(
  { file, from }: Mutant,
  { loading, files }: Baseline,
  tests: readonly string[],
  imports: Map<string, readonly string[]>,
): string[] {
  const url = pathToFileURL(file).href;
  const isLoaded = runs(loading[url], from);
  const found = tests.map((test) => {
    const { ran, ms } = files[test] ?? {};
    return {
      test,
      ms: ms ?? 0,
      isRun: isLoaded || runs(ran?.[url], from),
      distance: distanceOf(test, file, imports),
    };
  });
  return found
    .filter(({ isRun, distance }) => isRun && distance < Infinity)
    .sort((a, b) => a.distance - b.distance || a.ms - b.ms)
    .map(({ test }) => test);
}

/** Whether the innermost function or block around a position was run. */
function runs(ranges: Ran[string] = [], place: number): boolean {
  const around = ranges.filter(([start, end]) => start <= place && place < end);
  const [innermost] = around.sort(([a, b], [c, d]) => b - a - (d - c));
  return innermost !== undefined && innermost[2] > 0;
}

/** Number of imports between two built files; Infinity if no path of imports exists. */
function distanceOf(from: string, to: string, imports: Map<string, readonly string[]>): number {
  const seen = new Set([from]);
  let distance = 0;
  for (let files = [from]; files.length > 0; distance += 1) {
    if (files.includes(to)) return distance;
    files = files
      .flatMap((file) => importsOf(file, imports))
      .filter((file) => !seen.has(file) && seen.add(file));
  }
  return Infinity;
}

function importsOf(file: string, imports: Map<string, readonly string[]>): readonly string[] {
  let found = imports.get(file);
  if (found === undefined) {
    const names = [
      ...readFileSync(file, 'utf8').matchAll(/^(?:import|export) (?:.* from )?['"]([#.][^'"]+)['"];$/gm),
    ];
    found = names.map(([, name = '']) =>
      name.startsWith('#') ? join(copy, 'dist', builtPath(name.slice(1))) : resolve(file, '..', name),
    );
    imports.set(file, found);
  }
  return found;
}

/** The path below `dist/` of an import that begins with `#`, according to `imports` in package.json. */
function builtPath(name: string): string {
  return name.startsWith('transport-suite/') ? name.replace('/', '/src/') : `src/${name}`;
}

/** Describes a change with its line of the source. */
function describe({ file, code, from, to, text }: Mutant): string {
  const map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')) as SourceMapPayload);
  const lines = code.slice(0, from).split('\n');
  const entry = map.findEntry(lines.length - 1, lines.at(-1)?.length ?? 0);
  const line = 'originalLine' in entry ? entry.originalLine + 1 : '?';
  const source = relative(join(copy, 'dist'), file).replace(/js$/, 'ts');
  const before = lines.at(-1)?.trimStart().slice(-30) ?? '';
  const after = code.slice(to, to + 30).split('\n', 1)[0];
  const short = (part: string) => part.replaceAll(/\s+/g, ' ').slice(0, 80);
  return `${source}:${line}  ${before}[${short(code.slice(from, to))} → ${short(text)}]${after}`;
}

function sample<T>(all: readonly T[], count: number): T[] {
  const remaining = [...all];
  const chosen: T[] = [];
  while (chosen.length < count && remaining.length > 0)
    chosen.push(...remaining.splice(Math.floor(chance() * remaining.length), 1));
  return chosen;
}

/** Mulberry32: pseudo-random numbers in `[0, 1)` from a seed. */
function randomNumbers(start: number): () => number {
  let state = start >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function secondsSince(begin: number): string {
  return ((performance.now() - begin) / 1000).toFixed(0);
}
