import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Lines } from '#adapters/log-pino/lines.js';

describe('lines of the log', () => {
  let folder: string;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'weatherd-lines-'))));
  after(() => rmSync(folder, { recursive: true }));
  const line = (number: number) => `{"number":${number},"text":"${'x'.repeat(900)}"}\n`;

  it('are written to a file in order, long ones included', async () => {
    const file = join(folder, 'log');
    const fd = openSync(file, 'w');
    const lines = new Lines(fd);
    const texts = ['a\n', `${'ü'.repeat(50_000)}\n`, 'b\n'];
    for (const text of texts) lines.write(text);
    await lines.close();
    closeSync(fd);
    expect(readFileSync(file, 'utf8')).to.equal(texts.join(''));
  });

  it('are dropped and counted if nobody reads them, and the others arrive complete and in order', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const fd = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
    const lines = new Lines(fd);
    const count = 20_000;
    for (let number = 0; number < count; number += 1) lines.write(line(number));
    // Closing ends even if nobody has read.
    await lines.close();

    const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
    let text = '';
    const bytes = Buffer.alloc(65_536);
    const read = () => {
      try {
        text += bytes.toString('utf8', 0, readSync(reader, bytes));
      } catch (error) {
        expect(error).to.have.property('code', 'EAGAIN');
      }
    };
    for (let quiet = 0, before = 0; quiet < 20; quiet = text.length === before ? quiet + 1 : 0) {
      before = text.length;
      read();
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    lines.write(line(count));
    await lines.close();
    for (let attempt = 0; attempt < 10; attempt += 1) read();
    closeSync(reader);
    closeSync(fd);

    const found = text
      .trim()
      .split('\n')
      .map((entry) => JSON.parse(entry) as { number?: number; dropped?: number });
    const numbers = found.flatMap(({ number }) => (number === undefined ? [] : [number]));
    expect(numbers).to.deep.equal([...numbers].sort((a, b) => a - b));
    expect(numbers.at(-1)).to.equal(count);
    const dropped = found.reduce((sum, entry) => sum + (entry.dropped ?? 0), 0);
    expect(dropped).to.be.above(count / 2);
    expect(numbers.length + dropped).to.equal(count + 1);
  });

  it('are dropped if their reader has closed the pipe', async () => {
    const pipe = join(folder, 'left');
    execFileSync('mkfifo', [pipe]);
    const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
    const fd = openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
    closeSync(reader);
    const lines = new Lines(fd);
    for (let number = 0; number < 10_000; number += 1) lines.write(line(number));
    await lines.close();
    closeSync(fd);
  });
});
