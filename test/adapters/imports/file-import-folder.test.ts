import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { TemporaryFolder } from '#adapters/imports/files/temporary-folder.js';
import { FileImportFolder } from '#adapters/imports/received/file-import-folder.js';
import type { DomainError } from '#domain/domain-error.js';

describe('FileImportFolder', () => {
  let place: string;
  let path: string;
  let folder: FileImportFolder;

  beforeEach(async () => {
    place = await mkdtemp(join(tmpdir(), 'weatherd-folder-'));
    path = join(place, 'imports');
    folder = new FileImportFolder(path);
  });
  afterEach(() => rm(place, { recursive: true }));

  async function* pieces(count: number, failure?: Error) {
    for (let piece = 0; piece < count; piece += 1) yield Buffer.alloc(1000, 65);
    if (failure !== undefined) throw failure;
  }
  const codeOf = (work: Promise<unknown>) =>
    work.then(
      () => 'done',
      (error: DomainError) => error.code as string | undefined,
    );

  it('stores a file for its user only', async () => {
    expect(await folder.receive('1', 'a.csv', pieces(3))).to.equal(3000);
    const file = statSync(folder.pathOf('1', 'a.csv'));
    expect([file.size, file.mode & 0o777]).to.deep.equal([3000, 0o600]);
    for (const name of [path, folder.folderOf('1'), join(folder.folderOf('1'), 'file')])
      expect(statSync(name).mode & 0o777, name).to.equal(0o700);
  });

  it('keeps nothing of a file that does not arrive completely, whatever the reason', async () => {
    const system = (code: string) => Object.assign(new Error('write'), { code });
    const small = new FileImportFolder(path, () => Promise.resolve(1000));
    for (const [used, bytes, code] of [
      [folder, pieces(2, system('ENOSPC')), 'DISK_FULL'],
      [folder, pieces(2, system('EDQUOT')), 'DISK_FULL'],
      [folder, pieces(2, system('EIO')), 'EIO'],
      [folder, pieces(2, new Error('cut off')), undefined],
      [folder, pieces(0), 'REQUEST_INVALID'],
      [small, pieces(2), 'DISK_FULL'],
    ] as const) {
      expect(await codeOf(used.receive('1', 'a.csv', bytes))).to.equal(code);
      expect(readdirSync(path)).to.deep.equal([]);
    }
  });

  it('unpacks into the folder of the import, and leaves the same space free', async () => {
    const system = (code: string) => Object.assign(new Error('write'), { code });
    for (const [free, content, code] of [
      [[2 ** 40], pieces(20_000), 'done'],
      [[2 ** 28 - 1], pieces(1), 'DISK_FULL'],
      [[2 ** 40, 2 ** 28 - 1], pieces(20_000), 'DISK_FULL'],
      [[2 ** 40], pieces(1, system('ENOSPC')), 'DISK_FULL'],
    ] as const) {
      const left: number[] = [2 ** 40, ...free];
      const measured = new FileImportFolder(path, () => Promise.resolve(left.shift() ?? 2 ** 40));
      await measured.receive('1', 'a.gz', pieces(1));
      const unpacked = new TemporaryFolder(2 ** 30, measured.placeOf('1'));
      const outcome = await unpacked.write('a.gz', content).catch((error: DomainError) => error);
      expect(typeof outcome === 'string' ? 'done' : outcome.code).to.equal(code);
      if (typeof outcome === 'string') expect(outcome.startsWith(measured.folderOf('1'))).to.equal(true);
      else expect(outcome.message).not.to.match(/TMPDIR|[/]/);
      await measured.remove('1');
      expect(readdirSync(path)).to.deep.equal([]);
    }
  });

  it('loads the records of complete files, and removes everything else', async () => {
    await folder.receive('1', 'a.csv', pieces(1));
    await Promise.all([1, 2, 3].map((version) => folder.save('1', { id: '1', version })));
    await folder.receive('2', 'a.csv', pieces(1));
    await folder.receive('3', 'a.csv', pieces(1));
    await writeFile(join(folder.folderOf('3'), 'import.json'), '{"id":');
    await mkdir(join(path, '4'));
    await mkdir(join(folder.folderOf('1'), 'weatherd-import-x'));
    await writeFile(join(path, 'former'), 'x');
    const again = new FileImportFolder(path);
    expect(await again.load()).to.deep.equal([{ id: '1', version: 3 }]);
    expect(readdirSync(path)).to.deep.equal(['1']);
    expect(readdirSync(folder.folderOf('1')).toSorted()).to.deep.equal(['file', 'import.json']);
    await again.remove('1');
    await again.remove('1');
    expect(existsSync(folder.folderOf('1'))).to.equal(false);
    expect(await new FileImportFolder(join(place, 'none')).load()).to.deep.equal([]);
  });
});
