import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { readSource, RULES, sourceFile, violationsOf } from './support/architecture.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const files = [
  ...readSource(join(ROOT, 'src')),
  // As a folder beside those of `src`, which is what their names in imports say.
  ...readSource(join(ROOT, 'transport-suite/src'), 'transport-suite'),
];

describe('architecture', () => {
  for (const rule of RULES) {
    const { title, violation, others = [] } = rule;

    it(title, () => {
      expect(violationsOf(rule, files)).to.deep.equal([]);
    });

    it(`${title}: a violation is found, and so are missing files`, () => {
      for (const planted of [violation, ...others]) {
        const added = Object.entries(planted).map(([path, text]) => sourceFile(path, text));
        expect(violationsOf(rule, [...files, ...added]).join('\n'), JSON.stringify(planted)).to.contain(
          'planted',
        );
      }
      expect(violationsOf(rule, [])).not.to.deep.equal([]);
    });
  }

  it('gives the processes of mocha only options that Node.js documents, because another version may refuse the others', () => {
    const settings = JSON.parse(readFileSync(join(ROOT, '.mocharc.json'), 'utf8')) as {
      'node-option': string[];
    };
    const options = settings['node-option'].map((option) => `--${option.replace(/=.*/, '')}`);
    expect(options.filter((option) => !process.allowedNodeEnvironmentFlags.has(option))).to.deep.equal([]);
  });
});
