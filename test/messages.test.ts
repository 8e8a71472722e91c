import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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

const read = (path: string) => readFileSync(path, 'utf8');

describe('messages', () => {
  it('are those of test/messages.txt, which UPDATE_GOLDEN=1 writes', () => {
    const found = `${messagesIn(SOURCES, (path) => !ELSEWHERE.test(path)).join('\n')}\n`;
    if (process.env['UPDATE_GOLDEN'] !== undefined) writeFileSync(GOLDEN, found);
    else expect(found).to.equal(read(GOLDEN));
  });

  it('name no script of the project in commands, because the package has no such script', () => {
    const folder = join(SOURCES, 'adapters/cli');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith('.ts'),
    );
    expect(files).to.include('demo-command.ts');
    const naming = files.filter((path) => /\bnpm (?:start|run|test)\b/.test(read(join(folder, path))));
    expect(naming).to.deep.equal([]);
  });

  it('name an option with its command alone, if they are not of commands, because browsers show them too', () => {
    const wrong = read(GOLDEN)
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
