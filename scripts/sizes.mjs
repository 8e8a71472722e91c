// `npm run sizes`: prints sizes of `src` that tend to grow, and compares them with the record in sizes.json. It never fails,
// because some files must be long. `npm run sizes -- --write` records the current sizes, so that a reviewer sees them in the
// diff.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const LONG = 250;
const SHORT = 25;
const MANY = 15;

const root = fileURLToPath(new URL('..', import.meta.url));
const RECORD = join(root, 'scripts', 'sizes.json');

const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => ({ path, lines: readFileSync(join(root, 'src', path), 'utf8').split('\n').length - 1 }));
const filesIn = {};
for (const { path } of files) filesIn[dirname(path)] = (filesIn[dirname(path)] ?? 0) + 1;
const sizes = {
  'lines of src': files.reduce((sum, { lines }) => sum + lines, 0),
  'files of src': files.length,
  [`files of more than ${LONG} lines`]: files.filter(({ lines }) => lines > LONG).length,
  [`files of less than ${SHORT} lines`]: files.filter(({ lines }) => lines < SHORT).length,
  [`folders of more than ${MANY} files`]: Object.values(filesIn).filter((count) => count > MANY).length,
};
if (process.argv.includes('--write')) writeFileSync(RECORD, `${JSON.stringify(sizes, undefined, 2)}\n`);
const record = JSON.parse(readFileSync(RECORD, 'utf8'));
for (const [name, size] of Object.entries(sizes)) {
  const before = record[name] ?? 0;
  const change = size === before ? '' : ` (on record ${before}, ${size > before ? '+' : ''}${size - before})`;
  console.log(`${name}: ${size}${change}`);
}
