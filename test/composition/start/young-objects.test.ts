import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

/** Prints the size of the space in bytes: after objects were kept during the delay, and after as many were kept later. */
const PROGRAM = `
  const { getHeapSpaceStatistics } = await import('node:v8');
  const { postponeGrowth } = await import(process.argv[1]);
  const kept = [];
  const size = () => {
    for (let index = 0; index < 1_000_000; index++) kept.push({ index });
    return getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space').space_size;
  };
  postponeGrowth(1);
  const first = size();
  await new Promise((resolve) => setTimeout(resolve, 50));
  console.log(JSON.stringify([first, size()]));
`;

const MAIN = fileURLToPath(new URL('../../../src/composition/main.js', import.meta.url));
/** Ends the process when the program sets its first flag of V8. The last line of the output is this flag, or "none". */
const RECORDER = `
  import v8 from 'node:v8';
  import { syncBuiltinESMExports } from 'node:module';
  let set = 'none';
  process.on('exit', () => console.log(set));
  v8.setFlagsFromString = (flag) => process.exit((set = flag, 0));
  syncBuiltinESMExports();
`;

describe('the space for new objects', () => {
  for (const [parameters, isService] of [
    [[], true],
    [['serve'], true],
    [['--config', 'FILE', 'serve'], true],
    [['--config=FILE', 'serve'], true],
    [['--config', 'FILE'], true],
    [['--config=FILE'], true],
    [['export', '--help', 'serve'], false],
    [['--config', 'serve', 'export', '--help'], false],
  ] as const)
    it(`${isService ? 'does not grow at first' : 'grows as usual'} with weatherd ${parameters.join(' ')}`, () => {
      const output = execFileSync(
        process.execPath,
        ['--import', `data:text/javascript,${encodeURIComponent(RECORDER)}`, MAIN, ...parameters],
        { encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: '' } },
      );
      expect(output.trim().endsWith('--semi-space-growth-factor=1')).to.equal(isService);
    });

  it('does not grow in a start, and grows afterwards', () => {
    const module = new URL('../../../src/composition/start/young-objects.js', import.meta.url).href;
    const output = execFileSync(process.execPath, ['--input-type=module', '--eval', PROGRAM, module], {
      encoding: 'utf8',
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    const [first, later] = JSON.parse(output) as [number, number];
    expect(first).to.be.below(later / 2);
  });
});
