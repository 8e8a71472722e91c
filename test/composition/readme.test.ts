import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { eventually, finish } from '../support/process.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const PORTS = ['EXTERNAL', 'INTERNAL', 'UPLOADS'];

/** The blocks of a language in a chapter of README.md, by default the shell commands. */
function blocksOf(chapter: string, language = 'sh'): string[] {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const [text = ''] = readme.slice(readme.indexOf(`## ${chapter}\n`) + 3).split('\n## ');
  const blocks = text.matchAll(/```(\w+)\n(.*?)```/gs);
  return [...blocks].filter(([, name]) => name === language).map(([, , block = '']) => block);
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  for (const server of servers) server.close();
  return ports;
}

describe('README', () => {
  let folder: string;
  let environment: NodeJS.ProcessEnv;
  let ports: readonly number[];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'weatherd-readme-'));
    await symlink(join(ROOT, 'bin'), join(folder, 'bin'));
    ports = await freePorts(PORTS.length);
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('WEATHERD_'));
    const own = PORTS.map((name, index) => [`WEATHERD_${name}_PORT`, String(ports[index])]);
    environment = Object.fromEntries([...inherited, ...own]);
  });
  after(() => rm(folder, { recursive: true }));

  /** Starts a shell with these commands, on the ports of the test. `npm start` does not install and build again. */
  const shell = async (name: string, commands: string) => {
    const start = 'npm() { shift $(($# < 2 ? $# : 2)); exec node bin/weatherd.mjs "$@"; }';
    const text = commands.replaceAll(/:808([012])\b/g, (_match, index) => `:${ports[Number(index)]}`);
    await writeFile(join(folder, name), `shopt -s expand_aliases\nset -eu\n${start}\n${text}`);
    return spawn('bash', [name], { cwd: folder, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  };

  it('leads from nothing to the first value of a console, by the commands of "Connect a station" as they stand', async () => {
    const [start = '', ...others] = blocksOf('Connect a station');
    const service = await shell('start.sh', start);
    const ended = finish(service);
    let greeting = '';
    service.stderr.on('data', (piece: string) => (greeting += piece));
    try {
      await eventually(
        async () => greeting,
        (text) => text.includes('Try next'),
      );
      expect(greeting).to.contain(`:${ports[2]}`);
      const { status, stdout, stderr } = await finish(await shell('others.sh', others.join('\n')));
      // Beside the progress of curl.
      const progress = /^(?: *%| +Dload|[ \d]+\s\d.*(?:--|\d:\d\d:\d\d)|$)/;
      const lines = stderr.split(/[\r\n]+/).filter((line) => !progress.test(line));
      expect(lines.filter((line) => !line.startsWith('Changed the data in '))).to.deep.equal([]);
      expect(status).to.equal(0);
      for (const pattern of [
        /Upload key 1 of garden\. It is shown only now:/,
        /What to type into each make of console or software:/,
        /success\{"errcode":"0","errmsg":"ok"\}/,
        /"air_temperature":.*12\.3888888889/,
        /^2 +garden +\d{4}-\S+Z .* 2 +0 +ecowitt$/m,
        /Fields that are not stored:\n {2}temp1f +50\.2 °F/,
        /^[\da-f]{8} +\d{4}-\S+Z +127\.0\.0\.1 +1 +ecowitt$/m,
        /Upload key 2 has 1 mapped field\(s\)\.\nNote: The rain of key 2 is not stored/,
      ])
        expect(stdout).to.match(pattern);
    } finally {
      service.kill('SIGTERM');
    }
    expect(await ended).to.have.property('status', 0);
  });

  it('gives the reply of "From a web page" to its script, and lets a page of the allowed origin read it', async () => {
    const [start = ''] = blocksOf('From a web page');
    const [script = ''] = blocksOf('From a web page', 'js');
    const [reply = ''] = blocksOf('From a web page', 'json');
    const service = await shell('page.sh', start);
    const ended = finish(service);
    let greeting = '';
    service.stderr.on('data', (piece: string) => (greeting += piece));
    try {
      await eventually(
        async () => greeting,
        (text) => text.includes('Try next'),
      );
      expect(await finish(await shell('demo.sh', 'node bin/weatherd.mjs demo'))).to.have.property(
        'status',
        0,
      );
      await writeFile(
        join(folder, 'page.mjs'),
        script
          .replace('console.log(reply)', 'console.log(JSON.stringify(reply))')
          .replace(':8080', `:${ports[0]}`),
      );
      const { stdout } = await finish(await shell('script.sh', 'node page.mjs'));
      expect(JSON.parse(stdout)).to.deep.equal(JSON.parse(reply));
      const origin = 'http://localhost:5173';
      const { headers } = await fetch(`http://127.0.0.1:${ports[0]}/`, { headers: { origin } });
      expect(headers.get('access-control-allow-origin')).to.equal(origin);
    } finally {
      service.kill('SIGTERM');
    }
    expect(await ended).to.have.property('status', 0);
  });
});
