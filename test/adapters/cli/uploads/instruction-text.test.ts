import { expect } from 'chai';
import { formatInstructions, wrap } from '#adapters/cli/uploads/instruction-text.js';
import { instructionsFor } from '#application/uploads/setup/instructions.js';

const KEY = 'ABCDEFGHIJKLMNOPQRSTUVWX23';
const instructions = instructionsFor(
  { station: 'garden', key: KEY },
  { plain: { host: '192.168.1.5', port: 8082 }, api: { host: '127.0.0.1', port: 8080, tls: false } },
);

describe('instructions as text', () => {
  it('show a form as a list of its fields, within 80 columns', () => {
    const [ecowitt = ''] = formatInstructions(instructions).split('\n\n');
    expect(ecowitt.split('\n').slice(-6)).to.deep.equal([
      '    protocol  Ecowitt',
      '    server    192.168.1.5',
      `    path      /u/${KEY}/`,
      '    port      8082',
      '    interval  60 s',
      '  These consoles cannot use TLS. 16 is the shortest interval.',
    ]);
    const copied = new Set(instructions.flatMap(({ text = '' }) => text.split('\n')));
    for (const line of formatInstructions(instructions).split('\n'))
      if (!copied.has(line)) expect(line.length, line).to.be.at.most(80);
  });

  it('show texts to copy as they are', () => {
    const shown = formatInstructions(instructions);
    for (const { text } of instructions) if (text !== undefined) expect(shown).to.contain(`\n\n${text}\n`);
  });

  it('break lines between words, and never inside one', () => {
    const long = 'x'.repeat(100);
    expect(wrap(`a ${long} b`, '  ')).to.equal(`  a\n  ${long}\n  b`);
    expect(wrap('a b')).to.equal('a b');
  });
});
