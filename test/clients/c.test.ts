import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { FrameReader } from '#adapters/formats/frames/frame-reader.js';
import { observationFrames, OBSERVATIONS } from '#adapters/formats/frames/observations-frame.js';
import { endFrame, errorFrame, receiptFrame } from '#adapters/formats/frames/small-frames.js';
import { stationsFrame } from '#adapters/formats/frames/stations-frame.js';
import { FLAG } from '#domain/weather/series.js';
import { VARIABLES } from '#domain/weather/variables.js';
import {
  C99,
  C_COMPILERS,
  C_SOURCES,
  compile,
  CPP_COMPILERS,
  HAS_CMAKE,
  HAS_CURL,
  run,
  SANITIZED,
  STRICT,
  reportMissingTools,
} from '../support/compiler.js';
import { parseFrames, parseBody } from '../support/frame-sketch.js';
import { Place } from '../support/place.js';

const SECRET = 'a secret of more than thirty-two bytes'.replaceAll(' ', '-');
const HEADER = join(C_SOURCES, 'weatherd.h');
const golden = (name: string) => join(C_SOURCES, 'tests/golden', name);
const START = 1_704_067_200_000;

/** One frame of each kind, written by the service. */
function serviceBody(): Buffer {
  const batch = {
    stations: Uint32Array.from([7, 7, 4_294_967_295]),
    times: Float64Array.from([START, START + 600_000, -1]),
    values: new Map([
      [1, Float64Array.from([21.3, -0, 1e-300])],
      [7, Float64Array.from([270, Number.NaN, 0])],
    ]),
    flags: new Map([
      [1, Uint8Array.from([0, FLAG.step, FLAG.grossRange])],
      [7, Uint8Array.from([0, 0, FLAG.consistency])],
    ]),
  };
  const station = {
    number: 7,
    id: 'x'.repeat(64),
    name: 'Ås',
    latitude: 59.66,
    longitude: 10.78,
    elevation: null,
  };
  const counts = { inserted: 2 ** 40, updated: 2, unchanged: 3, rejected: 1 };
  return Buffer.concat([
    ...[...observationFrames(batch, [7, 1], true), ...observationFrames(batch, undefined, false)].flatMap(
      ({ pieces }) => pieces,
    ),
    stationsFrame([{ ...station, first: START, last: START + 600_000, count: 2 }]),
    receiptFrame(counts, [{ row: 2 ** 33, variable: 7, reason: 4 }]),
    errorFrame(404, 'STATION_UNKNOWN', 'There is no station “Ås”.'),
    endFrame(7, 5),
  ]);
}

const SERVICE_TEXT = [
  `row 7 ${START} 7=270/1 1=21.300000000000001/1`,
  `row 7 ${START + 600_000} 7=/0 1=-0/2`,
  'row 4294967295 -1 7=0/2 1=1e-300/3',
  `row 7 ${START} 1=21.300000000000001 7=270`,
  `row 7 ${START + 600_000} 1=-0 7=`,
  'row 4294967295 -1 1=1e-300 7=0',
  `station 7 ${'x'.repeat(64)} "Ås" 59.659999999999997 10.779999999999999 - ${START} ${START + 600_000} 2`,
  `receipt ${2 ** 40} 2 3 1`,
  `rejected ${2 ** 33} 7 4`,
  'error 404 STATION_UNKNOWN There is no station “Ås”.',
  'the end of the body',
  '',
].join('\n');

describe('clients › C', function () {
  let folder: string;
  before(() => {
    reportMissingTools();
    folder = mkdtempSync(join(tmpdir(), 'weatherd-c-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  const framesProgram = (compiler: string) =>
    compile(compiler, [...C99, ...STRICT, ...SANITIZED], ['tests/frames.c'], folder);
  const succeed = async (program: string, ...parameters: string[]) => {
    const { status, stdout, stderr } = await run(program, parameters);
    expect(stderr, `${program} ${parameters.join(' ')}`).to.equal('');
    expect(status).to.equal(0);
    return stdout;
  };

  it('the header names the variables of the catalogue and the version of the service', () => {
    const lines = VARIABLES.map(
      ({ name, number, unit }) => `    WXF_${name.toUpperCase()} = ${number}, /* ${unit} */`,
    );
    const text = readFileSync(HEADER, 'utf8');
    const expected = text.replace(
      /(\/\* <variables> \*\/\n)[^]*?( *\/\* <\/variables> \*\/)/,
      (_all, before: string, after: string) => `${before}${lines.join('\n')}\n${after}`,
    );
    if (process.env['UPDATE_GOLDEN'] !== undefined) writeFileSync(HEADER, expected);
    expect(expected).to.equal(readFileSync(HEADER, 'utf8'));
    const { version } = JSON.parse(readFileSync(join(C_SOURCES, '../../package.json'), 'utf8')) as {
      version: string;
    };
    expect(text).to.contain(`#define WEATHERD_VERSION "${version}"`);
  });

  it('the golden file of the service is what it writes, and reads', () => {
    const bytes = serviceBody();
    if (process.env['UPDATE_GOLDEN'] !== undefined) writeFileSync(golden('service.wxf'), bytes);
    expect(bytes.equals(readFileSync(golden('service.wxf')))).to.equal(true);
    expect(parseBody(bytes).map(({ kind }) => kind)).to.deep.equal([1, 1, 2, 3, 4]);
  });

  it('the golden file of C is read by the service', async () => {
    const bytes = readFileSync(golden('c.wxf'));
    const [first, second] = parseFrames(bytes);
    expect([first?.kind, second?.kind]).to.deep.equal([1, 2]);
    const only = Buffer.concat([bytes.subarray(0, 32 + (first?.payload.length ?? 0)), endFrame(3, 1)]);
    async function* source() {
      yield only;
    }
    for await (const { stations, times, columns } of new FrameReader(source(), OBSERVATIONS).frames()) {
      expect([...stations]).to.deep.equal([7, 7, 4_294_967_295]);
      expect([...times]).to.deep.equal([START, START + 600_000, -1]);
      expect(columns).to.deep.equal([
        { variable: 1, values: Float64Array.from([21.3, -0, 1e-300]) },
        { variable: 7, values: Float64Array.from([270, Number.NaN, 0]) },
      ]);
    }
  });

  for (const compiler of C_COMPILERS) {
    it(`weatherd.h does what it says, under the sanitizers (${compiler})`, async () => {
      const program = await framesProgram(compiler);
      expect(await succeed(program, 'unit')).to.equal('ok\n');
      const written = join(folder, `${compiler}.wxf`);
      await succeed(program, 'write', written);
      if (process.env['UPDATE_GOLDEN'] !== undefined) writeFileSync(golden('c.wxf'), readFileSync(written));
      expect(readFileSync(written).equals(readFileSync(golden('c.wxf')))).to.equal(true);
      expect(await succeed(program, 'read', golden('service.wxf'))).to.equal(SERVICE_TEXT);
    });

    it(`weatherd.h reads no byte too many of any bytes (${compiler})`, async () => {
      const program = await framesProgram(compiler);
      for (const name of ['service.wxf', 'c.wxf']) {
        expect(await succeed(program, 'fuzz', golden(name), '60000')).to.match(/^ok/);
      }
    });
  }

  for (const compiler of CPP_COMPILERS) {
    it(`both headers are C++11 (${compiler})`, async () => {
      const file = join(folder, 'headers.cpp');
      writeFileSync(
        file,
        '#include "weatherd_client.h"\nint main() { return wxf_crc32(0, "123456789", 9) == 0xcbf43926u ? WEATHERD_OK : 1; }\n',
      );
      const flags = ['-std=c++11', ...STRICT, ...SANITIZED];
      await succeed(await compile(compiler, flags, [file], folder));
    });
  }

  if (HAS_CURL) {
    for (const store of ['sqlite', 'postgres']) {
      for (const transport of ['express', 'fastify']) {
        it(`libweatherd talks to a service with ${store} on ${transport}, with and without a secret`, async () => {
          for (const [index, compiler] of C_COMPILERS.entries()) {
            const flags = [...C99, ...STRICT, ...SANITIZED];
            const sources = ['tests/client.c', 'weatherd_client.c'];
            const program = await compile(compiler, flags, sources, folder, ['-lcurl', '-lm']);
            const place = await Place.make(store);
            const secret = index === 0 ? [SECRET] : [];
            const socket = join(place.folder, 'socket');
            const service = await place.serve({
              WEATHERD_INTERNAL_TRANSPORT: transport,
              ...(index === 0
                ? { WEATHERD_INTERNAL_SECRET: SECRET }
                : { WEATHERD_INTERNAL_HOST: `unix:${socket}` }),
            });
            expect(service.internalUrl).to.match(index === 0 ? /^http:/ : /^unix:\//);
            try {
              expect(await succeed(program, service.internalUrl, ...secret)).to.equal('ok\n');
            } finally {
              await service.stop();
              await place.remove();
            }
          }
        });
      }
    }
  } else {
    it('libweatherd talks to a service');
  }

  if (HAS_CURL) {
    it('the program in the README compiles as it stands there, and does what it says', async () => {
      const readme = readFileSync(join(C_SOURCES, 'README.md'), 'utf8');
      const program = /```c\n([^]*?)```/.exec(readme)?.[1] ?? '';
      expect(readme).to.contain(
        'cc -I clients/c mast.c clients/c/weatherd_client.c -lcurl -o mast && ./mast',
      );
      const place = await Place.make('sqlite');
      const service = await place.serve();
      try {
        for (const compiler of C_COMPILERS) {
          const pasted = join(folder, `${compiler}-mast.c`);
          writeFileSync(pasted, program);
          const sources = [pasted, 'weatherd_client.c'];
          const silent = await run(await compile(compiler, [], sources, folder, ['-lcurl']), []);
          expect(silent.status).to.equal(0);
          const here = join(folder, `${compiler}-here.c`);
          writeFileSync(here, program.replace('http://127.0.0.1:8081', service.internalUrl));
          const flags = ['-std=c99', '-Wall', '-Wextra', '-Werror'];
          const built = await compile(compiler, flags, [here, 'weatherd_client.c'], folder, ['-lcurl']);
          expect(await succeed(built)).to.equal('on disk\n');
        }
      } finally {
        await service.stop();
        await place.remove();
      }
    });
  }

  if (HAS_CURL && HAS_CMAKE) {
    it('is built and installed by CMake, found by pkg-config, and its examples feed a year and read it', async () => {
      const [build, prefix] = [join(folder, 'build'), join(folder, 'installed')];
      const settings = [
        `-DCMAKE_INSTALL_PREFIX=${prefix}`,
        '-DCMAKE_INSTALL_LIBDIR=lib',
        '-DCMAKE_BUILD_TYPE=Release',
      ];
      for (const parameters of [
        ['-S', C_SOURCES, '-B', build, ...settings],
        ['--build', build],
        ['--install', build],
      ]) {
        const { status, stdout, stderr } = await run('cmake', parameters);
        expect(status, stdout + stderr).to.equal(0);
        expect(stderr + stdout).not.to.match(/warning/i);
      }
      const source = join(folder, 'installed.c');
      writeFileSync(
        source,
        '#include <weatherd_client.h>\nint main(void) { weatherd_close(weatherd_connect("http://127.0.0.1:1", NULL)); return 0; }\n',
      );
      const config = `PKG_CONFIG_PATH=${prefix}/lib/pkgconfig pkg-config --cflags --libs weatherd`;
      const { status, stderr } = await run('sh', [
        '-c',
        `cc ${source} $(${config}) -o ${folder}/found && ${folder}/found`,
      ]);
      expect([status, stderr]).to.deep.equal([0, '']);
      const place = await Place.make('sqlite');
      const service = await place.serve();
      try {
        const example = (name: string, ...more: string[]) =>
          succeed(join(build, name), service.internalUrl, ...more);
        expect(await example('feed_year')).to.contain(
          '52560 rows: 52560 new, 0 changed, 0 unchanged, 0 rejected.',
        );
        expect(await example('feed_year')).to.contain('0 new, 0 changed, 52560 unchanged');
        const table = await example('monthly_table');
        expect(table.split('\n').filter((line) => /^ +\d+ +4\d\d\d /.test(line))).to.have.length(12);
        expect(await example('newest')).to.match(/^Weather mast, 1767225000000 ms: 1=/);
      } finally {
        await service.stop();
        await place.remove();
      }
    });
  } else {
    it('is built and installed by CMake');
  }
});
