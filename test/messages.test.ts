import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { messagesIn } from './support/messages.js';

const SOURCES = fileURLToPath(new URL('../../src', import.meta.url));
const GOLDEN = fileURLToPath(new URL('../../test/messages.txt', import.meta.url));
/** Their texts are in the documents of OpenAPI, which are golden files too, or are content and no messages. */
const ELSEWHERE =
  /^(?:adapters\/http\/(?:external|internal)\/|adapters\/formats\/import-formats\/|adapters\/site\/client\/text\/de)/;

describe('messages', () => {
  it('are those of test/messages.txt, which UPDATE_GOLDEN=1 writes', () => {
    const found = `${messagesIn(SOURCES, (path) => !ELSEWHERE.test(path)).join('\n')}\n`;
    if (process.env['UPDATE_GOLDEN'] !== undefined) writeFileSync(GOLDEN, found);
    else expect(found).to.equal(readFileSync(GOLDEN, 'utf8'));
  });
});
