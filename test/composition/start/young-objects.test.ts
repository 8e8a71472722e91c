import { execFileSync } from 'node:child_process';
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

describe('the space for new objects', () => {
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
