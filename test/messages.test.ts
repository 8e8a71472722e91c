import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { makeProgram } from '#adapters/cli/program.js';
import { messagesIn, textsIn } from './support/messages.js';

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

/** The files of the command line whose code contains a pattern. */
function commandFilesWith(pattern: RegExp): string[] {
  const folder = join(SOURCES, 'adapters/cli');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  expect(files).to.include('demo-command.ts');
  return files.filter((path) => path.endsWith('.ts') && pattern.test(read(join(folder, path))));
}

describe('messages', () => {
  it('are those of test/messages.txt, which UPDATE_GOLDEN=1 writes', () => {
    const found = `${messagesIn(SOURCES, (path) => !ELSEWHERE.test(path)).join('\n')}\n`;
    if (process.env['UPDATE_GOLDEN'] !== undefined) writeFileSync(GOLDEN, found);
    else expect(found).to.equal(read(GOLDEN));
  });

  it('name no script of the project in commands, because the package has no such script', () => {
    expect(commandFilesWith(/\bnpm (?:start|run|test)\b/)).to.deep.equal([]);
  });

  it('name a command of weatherd in quotes, because the terminal replaces its name where it is another', () => {
    const { commands } = makeProgram({ version: '', dataActions: () => ({}) } as never);
    const named = new RegExp(`(?<!["\`\\w-])weatherd (?:${commands.map((one) => one.name()).join('|')})\\b`);
    // Pages and replies are read elsewhere, and the examples of a help are beside its usage, which begins with `weatherd`.
    const isRead = (path: string) =>
      !/^adapters\/(?:site|http)\//.test(path) && read(join(SOURCES, path)).includes('weatherd ');
    const texts = textsIn(SOURCES, isRead).filter(
      ({ text }) => !/^\\n(?:Examples|To load the script)/.test(text),
    );
    expect(texts.filter(({ text }) => text.includes('"weatherd '))).to.have.length.above(50);
    expect(texts.filter(({ text }) => named.test(text))).to.deep.equal([]);
  });

  it('are printed by the terminal, which changes no JSON', () => {
    expect(commandFilesWith(/\berrors\.write\(|\b(?:null|undefined), 2,?\s*\)/)).to.deep.equal([
      'terminal.ts',
    ]);
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
