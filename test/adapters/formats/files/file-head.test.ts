import { expect } from 'chai';
import { type Encoding, ENCODINGS } from '../../../../src/adapters/formats/files/encodings.js';
import { fileHead } from '../../../../src/adapters/formats/files/file-head.js';

const bytesOf = (text: string, encoding: Encoding, mark: boolean): Buffer => {
  const bytes = {
    'utf-8': () => Buffer.from((mark ? '\ufeff' : '') + text),
    'utf-16le': () => Buffer.from((mark ? '\ufeff' : '') + text, 'utf16le'),
    'utf-16be': () => Buffer.from((mark ? '\ufeff' : '') + text, 'utf16le').swap16(),
    'windows-1252': () => Buffer.from(text, 'latin1'),
  };
  return bytes[encoding]();
};

describe('the head of a file', () => {
  it('has its lines and fields, in every encoding, with and without a mark of the byte order', () => {
    for (const encoding of ENCODINGS) {
      for (const mark of [true, false]) {
        const head = fileHead(
          'a/b/C.csv.gz',
          bytesOf('Datum;"Temp (°C)"\r\n1;2,5\r\n', encoding, mark),
          true,
        );
        expect([head.kind, head.encoding], encoding).to.deep.equal(['text', encoding]);
        expect(head.name).to.equal('C.csv');
        expect(head.lines).to.deep.equal(['Datum;"Temp (°C)"', '1;2,5']);
        expect(head.delimiter).to.equal(';');
        expect(head.fields(1)).to.deep.equal(['Datum', 'Temp (°C)']);
        expect(head.fields(3)).to.deep.equal([]);
        expect(head.samples(1, 2)).to.deep.equal(['2,5']);
      }
    }
  });

  it('is no text for binary files, which are told apart', () => {
    for (const [content, kind] of [
      ['SQLite format 3\0rest', 'sqlite'],
      ['PK\x03\x04rest', 'zip'],
      ['\x1f\x8brest', 'gzip'],
      ['\xfd7zXZ\0', 'xz'],
      ['%PDF-1.7', 'pdf'],
      ['\x89PNG\0\0\0\0', 'binary'],
    ] as const) {
      const head = fileHead('x', Buffer.from(content, 'latin1'), true);
      expect([head.kind, head.lines.length]).to.deep.equal([kind, 0]);
    }
  });

  it('leaves out a line and a character that are cut at its end', () => {
    const bytes = Buffer.from('a,b\n1,2\n3,é');
    expect(fileHead('x', bytes, false).lines).to.deep.equal(['a,b', '1,2']);
    expect(fileHead('x', bytes, true).lines).to.deep.equal(['a,b', '1,2', '3,é']);
    const cut = fileHead('x', bytes.subarray(0, bytes.length - 1), false);
    expect([cut.encoding, cut.lines.length]).to.deep.equal(['utf-8', 2]);
  });
});
