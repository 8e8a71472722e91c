import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from './load.js';
import type { Build, Figures, Measure } from './pair-builds.js';
import { pairHttp } from './pair-http.js';
import { pairInternal } from './pair-internal.js';
import { pairStore } from './pair-store.js';

/**
 * `npm run bench pair http|store|internal FOLDER` compares the CPU time of this build with that of the built checkout in FOLDER.
 * The builds take turns, so that changes in the speed of the machine affect both. Prints the median of the CPU time of each
 * build. Also prints the ratio of the two CPU times in one round: the median of all rounds, and the smallest and the largest
 * ratio. `BENCH_ROUNDS` is the number of rounds.
 */
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 7);

const KINDS: Readonly<Record<string, (root: string) => Promise<Measure>>> = {
  http: pairHttp,
  store: pairStore,
  internal: pairInternal,
};

const [name = '', before] = process.argv.slice(2);
const kind = KINDS[name];
if (kind === undefined || before === undefined) {
  process.stderr.write(`npm run bench pair ${Object.keys(KINDS).join('|')} FOLDER\n`);
  process.exit(2);
}
const root = mkdtempSync(join(tmpdir(), 'weatherd-bench-'));
const builds = { before, now: fileURLToPath(new URL('../..', import.meta.url)) };
try {
  const measure = await kind(root);
  const found: Readonly<Record<Build, Figures>>[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    found.push(await measure(builds, join(root, String(round)), round));
    process.stderr.write(`round ${round + 1} of ${ROUNDS}\n`);
  }
  print(found);
} finally {
  rmSync(root, { recursive: true });
}

function print(found: readonly Readonly<Record<Build, Figures>>[]): void {
  console.log(`| ${name}, CPU µs, ${ROUNDS} pairs | before | now | ratio | range |`);
  console.log('| --- | ---: | ---: | ---: | ---: |');
  for (const row of Object.keys(found[0]?.now ?? {})) {
    const of = (build: Build) => found.map((figures) => figures[build][row] ?? Number.NaN);
    const [old, present] = [of('before'), of('now')];
    const ratios = present.map((value, index) => value / (old[index] as number)).toSorted((a, b) => a - b);
    const range = `${ratios[0]?.toFixed(2)}–${ratios.at(-1)?.toFixed(2)}`;
    const cells = [
      median(old).toPrecision(3),
      median(present).toPrecision(3),
      median(ratios).toFixed(3),
      range,
    ];
    console.log(`| ${row} | ${cells.join(' | ')} |`);
  }
}
