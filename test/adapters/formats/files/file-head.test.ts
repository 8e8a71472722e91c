import { expect } from 'chai';
import fc from 'fast-check';
import { type Encoding, ENCODINGS } from '#adapters/formats/files/encodings.js';
import { fileHead } from '#adapters/formats/files/file-head.js';

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

  it('has the delimiter of any table, with decimal commas too and without headings', () => {
    const table = fc
      .integer({ min: 2, max: 6 })
      .chain((width) =>
        fc.array(
          fc.array(fc.double({ min: -50, max: 1100, noNaN: true }), { minLength: width, maxLength: width }),
          { minLength: 1, maxLength: 60 },
        ),
      );
    const mark = fc.constantFrom([';', ','], ['\t', ','], ['|', ','], [';', '.'], ['\t', '.'], [',', '.']);
    fc.assert(
      fc.property(table, mark, fc.boolean(), (rows, [delimiter = '', decimal = ''], hasHeading) => {
        const heading = rows[0]?.map((_, column) => `column ${column}`) ?? [];
        const cells = rows.map((row) => row.map((value) => value.toFixed(1).replace('.', decimal)));
        const lines = [...(hasHeading ? [heading] : []), ...cells].map((row) => row.join(delimiter));
        const head = fileHead('a.csv', Buffer.from(`${lines.join('\n')}\n`), true);
        expect(head.delimiter, lines[0]).to.equal(delimiter);
      }),
    );
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

  it('is UTF-8 wherever a few of its bytes are damaged, and Windows-1252 whatever its letters are', () => {
    const rows = Array.from({ length: 100 }, (_, row) => `2023/6/1 0:${row},20.${row % 10},60`).join('\r\n');
    const texts = [
      `Zeit,Temperatur Aussen(℃),Luftfeuchtigkeit Aussen(%)\r\n${rows}`,
      `Zeit,Böe(m/s),Regen\r\n${rows}`,
      `Ort: Wörth\n\ntime,temp (°C)\r\n${rows}`,
    ];
    for (const text of texts) {
      const [utf8, latin] = [Buffer.from(text), Buffer.from(text.replaceAll('℃', '°C'), 'latin1')];
      const heading = utf8.indexOf('\n', utf8.indexOf('me(')) + 1;
      fc.assert(
        fc.property(
          fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0x80, max: 0xff })), { minLength: 1, maxLength: 5 }),
          (damages) => {
            const damaged = Buffer.from(utf8);
            for (const [place, byte] of damages)
              damaged[heading + 100 + (place % (damaged.length - heading - 100))] = byte;
            const head = fileHead('x.csv', damaged, true);
            expect(head.encoding).to.equal('utf-8');
            expect(head.lines.slice(0, 1)).to.deep.equal(text.split(/\r?\n/).slice(0, 1));
          },
        ),
        { numRuns: 200 },
      );
      expect(fileHead('x.csv', latin, true).encoding).to.equal('windows-1252');
    }
    for (const byte of [0x80, 0xb3, 0xc3, 0xe9, 0xff]) {
      const bytes = Buffer.concat([Buffer.from('a,b (°C),c (°C)\n1,'), Buffer.of(byte), Buffer.from(',3\n')]);
      expect(fileHead('x', bytes, true).encoding, String(byte)).to.equal('utf-8');
      const plain = Buffer.concat([Buffer.from('a,Temp \xb0C,Wind\n1,', 'latin1'), Buffer.of(byte)]);
      expect(fileHead('x', plain, true).encoding, String(byte)).to.equal('windows-1252');
    }
    // A heading that is damaged itself.
    const broken = Buffer.from('Temp (°C),Böe (m/s),Höhe (m)\n1,2,3\n');
    broken[0] = 0xb3;
    expect(fileHead('x', broken, true).encoding).to.equal('utf-8');
  });

  it('leaves out a line and a character that are cut at its end', () => {
    const bytes = Buffer.from('a,b\n1,2\n3,é');
    expect(fileHead('x', bytes, false).lines).to.deep.equal(['a,b', '1,2']);
    expect(fileHead('x', bytes, true).lines).to.deep.equal(['a,b', '1,2', '3,é']);
    const cut = fileHead('x', bytes.subarray(0, bytes.length - 1), false);
    expect([cut.encoding, cut.lines.length]).to.deep.equal(['utf-8', 2]);
  });
});
