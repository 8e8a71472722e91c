import { takeCoverage } from 'node:v8';
import { Report } from 'c8';
import mocha from 'mocha';
import { coverageFolder, measureWorkers } from './coverage.js';

/** The core: the folders whose coverage is checked. `branches` is the minimum share of covered branches in percent. */
const CORE = { folders: ['domain', 'application', 'adapters/http'], branches: 95 };

/** The Spec reporter of mocha. It also prints the coverage before the summary, and a machine-readable line after the summary. */
export default class ProjectReporter extends mocha.reporters.Spec {
  constructor(runner: Runner, options: mocha.MochaOptions) {
    super(runner, options);
    if (runner.isParallelMode()) measureWorkers();
  }

  /** Does nothing. Mocha calls this method before the coverage is complete, so `done` prints the summary instead. */
  override epilogue(): void {}

  override done(failures: number, finish: (failures: number) => void): void {
    void this.#finish(failures).then(finish);
  }

  /** @returns the number of failures, plus one if the coverage of the core is too low */
  async #finish(failures: number): Promise<number> {
    const covered = coverageFolder === undefined || (await printCoverage(coverageFolder));
    super.epilogue();
    const { passes, failures: failed } = this.stats;
    console.log(`${passes} passed, ${failed} failed`);
    return failures + (covered ? 0 : 1);
  }
}

/** Prints the coverage. @returns whether the coverage of the core is high enough */
async function printCoverage(tempDirectory: string): Promise<boolean> {
  takeCoverage();
  const report = new Report({
    reporter: ['text-summary'],
    reportsDirectory: 'coverage',
    tempDirectory,
    include: CORE.folders.map((folder) => `dist/src/${folder}/**`),
    exclude: [],
    excludeNodeModules: true,
    resolve: '',
    omitRelative: true,
    all: false,
    wrapperLength: 0,
  });
  await report.run();
  const map = await (report as unknown as CoverageSource).getCoverageMapFromAllCoverageFiles();
  let total = 0;
  let covered = 0;
  for (const file of map.files()) {
    const { branches } = map.fileCoverageFor(file).toSummary();
    total += branches.total;
    covered += branches.covered;
    if (branches.covered < branches.total) {
      console.log(`  ${file.slice(file.indexOf('src/'))}: ${branches.covered} of ${branches.total} branches`);
    }
  }
  const percent = (100 * covered) / total;
  console.log(`Core branches: ${percent.toFixed(1)} % of ${total} (at least ${CORE.branches} %)`);
  return percent >= CORE.branches;
}

/** The runner of mocha with a method that is missing in its types. */
interface Runner extends mocha.Runner {
  isParallelMode(): boolean;
}

interface CoverageSource {
  getCoverageMapFromAllCoverageFiles(): Promise<{
    files(): string[];
    fileCoverageFor(file: string): {
      toSummary(): { branches: { total: number; covered: number } };
    };
  }>;
}
