import { readFileSync } from 'node:fs';
import { expect } from 'chai';

const read = (file: string) => readFileSync(new URL(`../../../../${file}`, import.meta.url), 'utf8');

describe('The example of a kind in docs/targets.md', () => {
  it('is the package that the tests run', () => {
    const example = read('test/fixtures/target-package/index.js');
    expect(read('docs/targets.md')).to.contain(`\`\`\`js\n${example}\`\`\``);
  });
});
