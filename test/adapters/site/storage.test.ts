import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const CLIENT = fileURLToPath(new URL('../../../../src/adapters/site/client/', import.meta.url));
/** What throws SecurityError if the browser refuses storage to the page. */
const REFUSED = /\b(?:localStorage|sessionStorage|indexedDB|caches)\.|new BroadcastChannel\(/;

describe('storage of the browser', () => {
  it('is used only where a refusal is expected', () => {
    const files = readdirSync(CLIENT, { recursive: true, encoding: 'utf8' });
    const uses = files
      .filter((file) => /\.tsx?$/.test(file))
      .flatMap((file) => readFileSync(`${CLIENT}${file}`, 'utf8').split('\n'))
      .filter((line) => REFUSED.test(line));
    expect(uses).to.have.length.above(2);
    expect(uses.filter((line) => !line.includes('unlessRefused('))).to.deep.equal([]);
  });
});
