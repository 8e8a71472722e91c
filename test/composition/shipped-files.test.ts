import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { loadConfig } from '#composition/config.js';
import { SECRET_SETTINGS, SETTING_TABLE } from '#composition/settings/settings.js';
import { readManifest } from '../support/published.js';

const DOCS = fileURLToPath(new URL('../../../docs/', import.meta.url));
const read = (path: string) => readFileSync(join(DOCS, path), 'utf8');
const KNOWN = [...Object.keys(SETTING_TABLE), ...SECRET_SETTINGS.map((name) => `${name}_FILE`)];
const FILES = [
  'systemd/weatherd.service',
  'systemd/weatherd.env',
  'container/Dockerfile',
  'container/compose.yaml',
];

/** The settings that a text sets, in the form of a shell, of a unit, of a Dockerfile or of YAML. */
function settingsOf(text: string): Record<string, string> {
  const found = text.matchAll(/^(?! *#).*?\b(WEATHERD_[A-Z_]+)(?:=|: )'?([^\s'#]+)/gm);
  return Object.fromEntries([...found].map(([, name = '', value = '']) => [name, value]));
}

describe('the files for installations', () => {
  for (const file of FILES) {
    it(`name only settings that exist: ${file}`, () => {
      const named = [...read(file).matchAll(/\bWEATHERD_([A-Z_]*[A-Z])/g)].map(([, name]) => name);
      expect(named).not.to.have.length(0);
      expect(KNOWN).to.include.members(named);
    });
  }

  it('have settings without a fault', () => {
    const folder = mkdtempSync(join(tmpdir(), 'weatherd-shipped-'));
    const url = join(folder, 'url');
    writeFileSync(url, 'postgres://weatherd:x@database:5432/weatherd');
    const compose = {
      ...settingsOf(read('container/Dockerfile')),
      ...settingsOf(read('container/compose.yaml')),
    };
    expect(compose).to.include.keys(
      'WEATHERD_EXTERNAL_HOST',
      'WEATHERD_DATABASE_URL_FILE',
      'WEATHERD_DATA_DIR',
    );
    loadConfig(undefined, { ...compose, WEATHERD_DATABASE_URL_FILE: url });
    const unit = {
      ...settingsOf(read('systemd/weatherd.service')),
      ...settingsOf(read('systemd/weatherd.env')),
    };
    expect(loadConfig(undefined, unit).INTERNAL_HOST).to.equal('unix:/run/weatherd/internal.sock');
    // The lines that are comments until somebody needs them, but for those with files of their own.
    const all = read('systemd/weatherd.env').replaceAll(/^#(?=WEATHERD_)/gm, '');
    const { WEATHERD_DATABASE_URL_FILE: _url, ...sqlite } = settingsOf(all);
    expect(loadConfig(undefined, sqlite).BACKUP_DIR).to.equal('/var/backups/weatherd');
    rmSync(folder, { recursive: true });
  });

  it('give the build of the image all that the compiler reads and that the package contains', () => {
    const allowed = read('container/Dockerfile.dockerignore').match(/(?<=^!)\S+/gm) ?? [];
    const { include } = JSON.parse(read('../tsconfig.json')) as { readonly include: readonly string[] };
    const packed = (readManifest().files ?? []).filter((path) => !/^!|^dist\b/.test(path));
    const needed = [...include, ...packed, 'scripts', 'package-lock.json', 'tsconfig.types.json', 'LICENSE'];
    expect(packed).to.include('CHANGELOG.md');
    expect(allowed).to.include.members(needed.map((path) => path.split('/')[0]));
    for (const path of allowed) expect(existsSync(join(DOCS, '..', path)), path).to.equal(true);
  });

  it('copy the installed package alone into the image, with its command', () => {
    const text = read('container/Dockerfile');
    const [, prefix] =
      /npm install --global --prefix (\S+) --ignore-scripts \.\/weatherd-\*\.tgz$/m.exec(text) ?? [];
    expect(prefix).to.match(/^\/opt\//);
    expect(text.match(/^COPY .*/gm)).to.deep.equal(['COPY . .', `COPY --from=build ${prefix} ${prefix}`]);
    // npm gives the command the name that package.json has.
    expect(readManifest().bin).to.have.keys('weatherd');
    expect(text).to.contain(`ln -s ${prefix}/bin/weatherd /usr/local/bin/weatherd`);
  });

  it('have a unit that systemd accepts, and that does not forbid compiled JavaScript', function () {
    const unit = read('systemd/weatherd.service');
    expect(unit).not.to.match(/^MemoryDenyWriteExecute=/m);
    expect(unit).to.match(/^WantedBy=multi-user\.target$/m);
    if (!existsSync('/usr/bin/systemd-analyze')) this.skip();
    const folder = mkdtempSync(join(tmpdir(), 'weatherd-unit-'));
    const file = join(folder, 'weatherd.service');
    // The command is not installed on the machine of the tests.
    writeFileSync(file, unit.replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`));
    try {
      const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
      // Unknown keys are only a warning.
      expect([status, `${stdout}${stderr}`]).to.deep.equal([0, '']);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
