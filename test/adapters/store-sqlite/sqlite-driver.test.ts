import { expect } from 'chai';
import { loadDriver, Sqlite } from '#adapters/store-sqlite/database/driver.js';
import { rejectionOf } from '../../support/rejection.js';

describe('the driver of SQLite', () => {
  const missing = () => Promise.reject(new Error("Cannot find package 'better-sqlite3'"));
  const foreign = () =>
    Promise.resolve(function refuse() {
      throw new Error('compiled against a different Node.js version using NODE_MODULE_VERSION 115');
    } as unknown as typeof Sqlite);

  it('is version 13, or 12 where 13 is missing or does not work', async () => {
    const asked: string[] = [];
    const load = (first: () => Promise<typeof Sqlite>) => (name: string) => {
      asked.push(name);
      return name === 'better-sqlite3-13' ? first() : Promise.resolve(Sqlite);
    };
    expect(await loadDriver(load(() => Promise.resolve(Sqlite)))).to.equal(Sqlite);
    expect(asked).to.deep.equal(['better-sqlite3-13']);
    for (const first of [missing, foreign]) expect(await loadDriver(load(first))).to.equal(Sqlite);
  });

  it('explains what to do if neither works', async () => {
    const reasonOf = async (load: () => Promise<typeof Sqlite>) =>
      ((await rejectionOf(loadDriver(load))) as Error).message;
    expect(await reasonOf(missing)).to.match(
      Number(process.versions.node.split('.')[0]) < 22
        ? /install weatherd again under Node\.js 22 or later; .* npm start, in the copy of the project\. .* Python, a C\+\+ compiler/
        : /install weatherd again with npm's option --ignore-scripts, which needs no compiler/,
    );
    expect(await reasonOf(foreign)).to.match(/another version of Node\.js .* install it again; .* npm start/);
  });

  it('is installed where weatherd is installed', async function () {
    if (Number(process.versions.node.split('.')[0]) >= 22) this.skip();
    for (const [folder, command] of [
      ['/usr/local/lib/node_modules', 'npm install --global --prefix /usr/local better-sqlite3@12.'],
      ['/home/ada/project/node_modules', 'npm install --prefix /home/ada/project better-sqlite3@12.'],
    ] as const) {
      const reason = (await rejectionOf(
        loadDriver(missing, `${folder}/weatherd/dist/service/main.js`),
      )) as Error;
      expect(reason.message).to.contain(`install the driver beside weatherd: ${command} `);
    }
  });
});
