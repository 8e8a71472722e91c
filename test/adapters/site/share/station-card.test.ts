import { expect } from 'chai';
import { StationCard, type StationCardOptions } from '#adapters/site/card/station-card.js';
import { DomainError } from '#domain/domain-error.js';

const never = new Promise<never>(() => undefined);

describe('the picture of a station for messages', () => {
  const drawn = async (options: Partial<StationCardOptions>) => {
    const failures: unknown[] = [];
    const asked: string[] = [];
    const card = new StationCard({
      renderer: async () => ({
        drawCard: async ({ station, search }) => {
          asked.push(`${station}?${search}`);
          return '<svg/>';
        },
      }),
      painter: () => ({ paint: async () => ({ tag: '', png: Uint8Array.of(1) }) }),
      read: async () => undefined,
      language: 'de',
      onFailure: (error) => failures.push(error),
      ...options,
    });
    return { png: await card.draw('JFK'), asked, failures };
  };

  it('is drawn in the language of the messages', async () => {
    expect(await drawn({})).to.deep.equal({ png: Uint8Array.of(1), asked: ['JFK?lang=de'], failures: [] });
  });

  const drawCard = async ({ read }: { read: (target: string) => Promise<unknown> }) =>
    String(await read('/v1/stations/JFK'));

  for (const [what, options] of Object.entries<Partial<StationCardOptions>>({
    'the code cannot be loaded': { renderer: () => Promise.reject(new Error('no file')) },
    'the station cannot be read': {
      renderer: async () => ({ drawCard }),
      read: () => Promise.reject(new DomainError('STORE_UNAVAILABLE', 'The data cannot be read.')),
    },
    'there is no painter': {
      painter: () => {
        throw new Error('closed');
      },
    },
    'too many pictures wait': { painter: () => ({ paint: () => Promise.reject(new Error('wait')) }) },
    'drawing does not end': { painter: () => ({ paint: () => never }), timeout: 1 },
    'reading does not end': { renderer: async () => ({ drawCard }), read: () => never, timeout: 1 },
  }))
    it(`is left out, with a reason, if ${what}`, async () => {
      const { png, failures } = await drawn(options);
      expect(png).to.equal(undefined);
      expect(failures).to.have.length(1);
      expect(failures[0]).to.be.an('error');
    });

  it('is left out without a reason if visitors do not see the station', async () => {
    const read = () => Promise.reject(new DomainError('STATION_UNKNOWN', 'There is no station "JFK".'));
    const { png, failures } = await drawn({ renderer: async () => ({ drawCard }), read });
    expect([png, failures]).to.deep.equal([undefined, []]);
  });
});
