import { expect } from 'chai';
import { pino } from 'pino';
import { errorFields } from '#adapters/log-pino/error-fields.js';
import { describeFailure } from '#composition/servers.js';

describe('an error in the log', () => {
  const logged = (err: unknown) => {
    const lines: string[] = [];
    const stream = { write: (line: string) => void lines.push(line) };
    pino({ serializers: { err: errorFields } }, stream).error({ err }, 'failed');
    return (JSON.parse(lines[0] as string) as { err: { message: string; stack: string } }).err;
  };
  const chain = (...messages: readonly string[]) =>
    messages.reduceRight<Error | undefined>((cause, message) => new Error(message, { cause }), undefined);

  for (const [messages, joined] of [
    [
      ['A picture took too long.', 'The task has been aborted'],
      'A picture took too long. The task has been aborted',
    ],
    [['cannot read', 'no such file'], 'cannot read: no such file'],
    [
      ['The file cannot be used:', 'it is a folder.', 'EISDIR'],
      'The file cannot be used: it is a folder. EISDIR',
    ],
    [['alone.'], 'alone.'],
  ] as const)
    it(`has the messages of its causes, with one punctuation mark between them: ${joined}`, () => {
      const error = chain(...messages);
      expect(logged(error).message).to.equal(joined);
      expect(logged(describeFailure(error)).message).to.equal(joined);
      expect(logged(error).stack).to.contain(messages.at(-1));
    });

  it('ends a circle of causes', () => {
    const first = new Error('first.');
    const second = new Error('second', { cause: first });
    first.cause = second;
    expect(logged(first).message).to.equal('first. second');
  });
});
