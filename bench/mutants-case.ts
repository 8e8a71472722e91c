import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import Mocha from 'mocha';

/**
 * Runs test files for `mutants.ts` in its own process until the first failure, and sends a message at the end of each test. If a
 * result file is named, the code coverage of each test file is written to it.
 */

/** Coverage by URL of the script: `[start, end, number of calls]` of its functions and blocks, in characters. */
export type Ran = Readonly<Record<string, readonly (readonly [number, number, number])[]>>;
export interface Baseline {
  /** Coverage while the modules were loaded. */
  readonly loading: Ran;
  /** For each test file, its coverage, the total duration of its tests in ms, and the duration of its longest test in ms. */
  readonly files: Readonly<
    Record<string, { readonly ran: Ran; readonly ms: number; readonly longest: number }>
  >;
}

const [result = '', ...files] = process.argv.slice(2);
// Node.js also ends if nothing is left to wait for, although some tests have not ended. The exit code is then 1, as for a failed
// test.
process.exitCode = 1;
process.once('disconnect', () => process.exit());

const session = new Session();
if (result !== '') {
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
}
const mocha = new Mocha({ bail: true, timeout: 0, reporter: 'dot' });
for (const file of files) mocha.addFile(file);
await mocha.loadFilesAsync();

const loading = takeRan();
const found: Record<string, Baseline['files'][string]> = {};
let current = { file: '', ms: 0, longest: 0 };
const end = () => {
  if (result !== '' && current.file !== '') found[current.file] = { ...current, ran: takeRan() };
};
const runner = mocha.run((failures) => {
  end();
  if (result !== '') writeFileSync(result, JSON.stringify({ loading, files: found } satisfies Baseline));
  process.exit(failures === 0 ? 0 : 1);
});
runner.on('suite', ({ file }) => {
  if (file === undefined || file === current.file) return;
  end();
  current = { file, ms: 0, longest: 0 };
});
runner.on('test end', ({ duration = 0 }) => {
  current.ms += duration;
  current.longest = Math.max(current.longest, duration);
  process.send?.('');
});

/** Returns the coverage since the previous call of this function. */
function takeRan(): Ran {
  const ran: Record<string, Ran[string]> = {};
  if (result === '') return ran;
  // The callback is called before `post` returns, because the session belongs to this thread.
  session.post('Profiler.takePreciseCoverage', (_error, coverage) => {
    for (const { url, functions } of coverage.result) {
      if (!url.includes('/dist/src/')) continue;
      const ranges = functions.flatMap((each) => each.ranges);
      ran[url] = ranges.map(({ startOffset, endOffset, count }) => [startOffset, endOffset, count] as const);
    }
  });
  return ran;
}
