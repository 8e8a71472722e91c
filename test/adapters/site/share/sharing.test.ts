import { expect } from 'chai';
import fc from 'fast-check';
import { textLines } from '#adapters/site/client/card/text-lines.js';
import { similarStations } from '#adapters/site/client/not-found/nearest-stations.js';
import { EMBED_SIZES, embedCode, embedPath } from '#adapters/site/client/share/embed-code.js';
import { qrPicture } from '#adapters/site/client/share/qr.js';

const CHOICE = { size: 'medium', theme: 'dark', language: 'de', units: 'kmh' } as const;

describe('the card for another site', () => {
  it('is a frame with the chosen size, language, units and colors', () => {
    const code = embedCode('https://a.example', 'garden', 'Weather at Garden', CHOICE);
    expect(code).to.equal(
      '<iframe src="https://a.example/embed/garden?lang=de&amp;units=kmh&amp;theme=dark" title="Weather at Garden" ' +
        'width="320" height="340" loading="lazy" style="border:0"></iframe>',
    );
    expect(Object.keys(EMBED_SIZES)).to.include('large');
  });

  it('stays one frame for every id and name', () => {
    fc.assert(
      // `.` and `..` are steps of a path in an address, and no station has such an id.
      fc.property(
        fc.string({ minLength: 1 }).filter((id) => !/^\.{1,2}$/.test(id)),
        fc.string(),
        (id, title) => {
          const code = embedCode('https://a.example', id, title, CHOICE);
          expect(code).to.match(/^<iframe(?: [a-z]+="[^"<>]*")+><\/iframe>$/);
          const path = embedPath(id, CHOICE);
          expect(decodeURIComponent(new URL(path, 'https://a.example').pathname)).to.equal(`/embed/${id}`);
        },
      ),
      { examples: [['"><script>', '"><script>alert(1)</script>']] },
    );
  });
});

describe('a QR code', () => {
  it('has three finder patterns in an empty margin of four modules', () => {
    const { size, path } = qrPicture('https://weather.example.org/stations/garden');
    const dark = new Set([...path.matchAll(/M(\d+) (\d+)/g)].map(([, x, y]) => `${x} ${y}`));
    for (const [left, top] of [
      [4, 4],
      [size - 11, 4],
      [4, size - 11],
    ] as const)
      for (let step = 0; step < 7; step += 1) {
        expect(dark.has(`${left + step} ${top}`), `${left} ${top}`).to.equal(true);
        expect(dark.has(`${left} ${top + step}`), `${left} ${top}`).to.equal(true);
      }
    for (let step = 0; step < size; step += 1)
      for (const edge of [0, 3, size - 1]) expect(dark.has(`${edge} ${step}`)).to.equal(false);
  });
});

describe('lines of a text in a picture', () => {
  it('keep the words and the number of lines', () => {
    expect(textLines('Falling. 5 degrees colder than usual.', 14, 2)).to.deep.equal([
      'Falling. 5 degrees colder',
      'than usual.',
    ]);
    expect(textLines('one two three four five six', 5, 2)).to.deep.equal(['one two', 'three f…']);
    expect(textLines('', 10, 2)).to.deep.equal([]);
  });

  it('are never more than asked for, and never longer than their width allows', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.integer({ min: 2, max: 30 }),
        fc.integer({ min: 1, max: 3 }),
        (text, width, count) => {
          const lines = textLines(text, width, count);
          expect(lines.length).to.be.at.most(count);
          // A character is at least 0.32 em wide.
          for (const line of lines)
            expect([...new Intl.Segmenter().segment(line)].length).to.be.at.most(width / 0.32 + 1);
          const words = text.split(' ').filter((word) => word !== '');
          if (!lines.join('').includes('…')) expect(lines.join(' ')).to.equal(words.join(' '));
        },
      ),
    );
  });
});

describe('stations near a wrong id', () => {
  const stations = [
    { id: 'JFK', name: 'John F Kennedy Intl' },
    { id: 'garden', name: 'Garden' },
    { id: 'garden2', name: 'Garden, back' },
    { id: 'gardens', name: 'All gardens' },
    { id: 'gardener', name: 'Gardener' },
  ];
  const near = (wanted: string) => similarStations(wanted, stations).map(({ id }) => id);

  it('are at most three, the nearest first, by id or name', () => {
    expect(near('gardn')).to.have.length(3).and.include('garden');
    expect(near('JFQ')).to.deep.equal(['JFK']);
    expect(near('kennedy')).to.deep.equal(['JFK']);
    expect(near('zzzzzz')).to.deep.equal([]);
    expect(similarStations('x', [])).to.deep.equal([]);
  });

  it('are different stations for every text', () => {
    fc.assert(
      fc.property(fc.string(), (wanted) => {
        const found = near(wanted);
        expect(new Set(found).size).to.equal(found.length).and.at.most(3);
      }),
    );
  });
});
