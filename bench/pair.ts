import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from './load.js';
import { pairHttp } from './pair-http.js';
import { pairInternal } from './pair-internal.js';
import { pairStore } from './pair-store.js';

/**
 * `npm run bench pair http|store|internal FOLDER` compares the CPU time of this build with the one of the built checkout in FOLDER.
 * The builds take turns, each measurement in a fresh process, so that both see the same drift of the machine. Prints medians, and
 * the ratio of this build to the other one in the same round: its median, and its range. `BENCH_ROUNDS` is the number of rounds.
 */
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 7);

/** CPU time in µs for each unit (a request, a row, a read), by name of the measurement. */
export type Figures = Readonly<Record<string, number>>;
/** @param checkout a built checkout @param folder empty, for the data of this call */
export type Measure = (checkout: string, folder: string) => Promise<Figures>;

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
  const found: { readonly before: Figures; readonly now: Figures }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const figures: { before?: Figures; now?: Figures } = {};
    const order = round % 2 === 0 ? (['before', 'now'] as const) : (['now', 'before'] as const);
    for (const build of order) figures[build] = await measure(builds[build], join(root, `${round}-${build}`));
    found.push(figures as { before: Figures; now: Figures });
    process.stderr.write(`round ${round + 1} of ${ROUNDS}\n`);
  }
  print(found);
} finally {
  rmSync(root, { recursive: true });
}

function print(found: readonly { readonly before: Figures; readonly now: Figures }[]): void {
  console.log(`| ${name}, CPU µs, ${ROUNDS} pairs | before | now | ratio | range |`);
  console.log('| --- | ---: | ---: | ---: | ---: |');
  for (const row of Object.keys(found[0]?.now ?? {})) {
    const of = (build: 'before' | 'now') => found.map((figures) => figures[build][row] ?? Number.NaN);
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
