import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareImport } from './import-rates.js';
import { compareChecks } from './import-wait.js';

/**
 * Measures the import of files without the other measurements of `npm run bench store`, and how long quality control takes
 * afterwards. The parameters are numbers of rows.
 */
const sizes = process.argv.slice(2).map(Number);
const folder = mkdtempSync(join(tmpdir(), 'weatherd-bench-'));
try {
  await compareChecks(folder, sizes.length > 0 ? sizes : [300_000, 1_000_000]);
  await compareImport(folder, sizes.length > 0 ? sizes : [300_000, 3_000_000], 3);
} finally {
  rmSync(folder, { recursive: true });
}
