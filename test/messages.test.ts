import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { messagesIn } from './support/messages.js';

const SOURCES = fileURLToPath(new URL('../../src', import.meta.url));
const GOLDEN = fileURLToPath(new URL('../../test/messages.txt', import.meta.url));
/** Their texts are in the documents of OpenAPI, which are golden files too, or are content and no messages. */
const ELSEWHERE =
  /^(?:adapters\/http\/(?:external|internal)\/|adapters\/formats\/import-formats\/|adapters\/site\/client\/text\/de)/;

/** They are only shown by commands. */
const OF_COMMANDS =
  /^(?:adapters\/cli|composition|adapters\/store-\w+\/database\/driver|application\/operation\/find-old-rows)\b/;
/** Shown by `weatherd upload-key setup` alone. */
const OF_SETUP = '--host chooses the one in the network of the sender.';

describe('messages', () => {
  it('are those of test/messages.txt, which UPDATE_GOLDEN=1 writes', () => {
    const found = `${messagesIn(SOURCES, (path) => !ELSEWHERE.test(path)).join('\n')}\n`;
    if (process.env['UPDATE_GOLDEN'] !== undefined) writeFileSync(GOLDEN, found);
    else expect(found).to.equal(readFileSync(GOLDEN, 'utf8'));
  });

  it('name an option with its command alone, if they are not of commands, because browsers show them too', () => {
    const wrong = readFileSync(GOLDEN, 'utf8')
      .split('\n')
      .filter(
        (message) =>
          !OF_COMMANDS.test(message) &&
          /(?:^|[\s"“`])--[a-z]/.test(message) &&
          !/weatherd |: \{\} [a-z-]+ |on the command line with --/.test(message) &&
          !message.endsWith(OF_SETUP),
      );
    expect(wrong).to.deep.equal([]);
  });
});
