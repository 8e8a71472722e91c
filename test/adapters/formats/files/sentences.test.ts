import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import {
  NEEDS,
  OTHERS,
  QUESTIONS,
  REJECTIONS,
  type SentenceCode,
  textOf,
} from '#adapters/formats/files/sentences.js';
import { textsIn } from '../../../support/messages.js';

const SOURCES = fileURLToPath(new URL('../../../../../src', import.meta.url));
/** The modules whose texts get to the senders of requests. */
const IMPORTS =
  /^(?:adapters\/imports\/|adapters\/formats\/(?:files|tables|import-formats)\/|adapters\/http\/external\/imports\/|application\/observations\/imports\/)/;
const OPTION = /(?:^|[^\w-])--[a-z]/;

describe('sentences about files', () => {
  it('name options of the command to the terminal only, fields to senders of requests, and no option elsewhere', () => {
    const codes = Object.keys({ ...REJECTIONS, ...QUESTIONS, ...NEEDS, ...OTHERS }) as SentenceCode[];
    for (const code of codes) {
      const values = new Proxy<Record<string, string>>({}, { get: (_, name) => `<${String(name)}>` });
      const [command, request] = [textOf({ code, values }, 'command'), textOf({ code, values }, 'request')];
      expect(request, code).not.to.match(/--|weatherd|undefined/);
      expect(command, code).not.to.match(/[`[\]]|undefined/);
      expect(OPTION.test(command), code).to.equal(/`\w+`/.test(request) || code === 'stations-several');
    }
    const table = 'adapters/formats/files/sentences';
    const found = textsIn(SOURCES, (path) => IMPORTS.test(path)).filter(
      ({ path, text }) => path !== table && (OPTION.test(text) || text.includes('"weatherd ')),
    );
    expect(found).to.deep.equal([]);
  });
});
