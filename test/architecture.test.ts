import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { readSource, RULES, sourceFile, violationsOf } from './support/architecture.js';

const files = readSource(join(fileURLToPath(new URL('../..', import.meta.url)), 'src'));

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
});
