import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { supervisionOf } from '#composition/config.js';
import { eventually, Workplace } from '../support/process.js';

describe('a unit of systemd', () => {
  for (const [what, environment, expected] of [
    ['none', {}, undefined],
    ['a watchdog without notifications', { WATCHDOG_USEC: '60000000' }, undefined],
    ['notifications', { NOTIFY_SOCKET: '/run/s' }, { watchdog: undefined }],
    ['a watchdog', { NOTIFY_SOCKET: '/run/s', WATCHDOG_USEC: '60000000' }, { watchdog: 60_000 }],
    [
      'a watchdog of this process',
      { NOTIFY_SOCKET: '/run/s', WATCHDOG_USEC: '500000', WATCHDOG_PID: '7' },
      { watchdog: 500 },
    ],
    [
      'a watchdog of another process',
      { NOTIFY_SOCKET: '/run/s', WATCHDOG_USEC: '500000', WATCHDOG_PID: '8' },
      { watchdog: undefined },
    ],
  ] as const) {
    it(`is read from the environment: ${what}`, () => {
      expect(supervisionOf(7, environment)).to.deep.equal(expected);
    });
  }

  it('is told when the service listens, that it runs, and when it stops', async () => {
    const place = await Workplace.make();
    const [program, told] = [join(place.folder, 'systemd-notify'), join(place.folder, 'told')];
    await writeFile(program, `#!/bin/sh\necho "$1" >> '${told}'\n`);
    await chmod(program, 0o755);
    const states = async () => (await readFile(told, 'utf8').catch(() => '')).trim().split('\n');
    const served = await place.serve({
      PATH: `${place.folder}:${process.env['PATH']}`,
      NOTIFY_SOCKET: join(place.folder, 'socket'),
      WATCHDOG_USEC: '400000',
    });
    await eventually(states, (found) => found.filter((state) => state === 'WATCHDOG=1').length >= 3);
    expect((await states()).filter((state) => state !== 'WATCHDOG=1')).to.deep.equal(['READY=1']);
    served.child.kill('SIGTERM');
    await served.ended;
    await eventually(states, (found) => found.includes('STOPPING=1'));
    await place.remove();
  });

  it('hears in the log of the service that it could not be told', async () => {
    const place = await Workplace.make();
    const served = await place.serve({
      PATH: place.folder,
      NOTIFY_SOCKET: '/nowhere',
      WATCHDOG_USEC: '200000',
    });
    await eventually(served.log, (text) => text.includes('systemd-notify has failed'));
    served.child.kill('SIGTERM');
    const { stdout } = await served.ended;
    expect(stdout.split('systemd-notify has failed')).to.have.length(2);
    await place.remove();
  });
});
