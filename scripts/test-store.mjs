// `npm run test:store`: runs the suites of the PostgreSQL store on the server in WEATHERD_TEST_DATABASE_URL, which can be the
// coordinator of Citus. Without this variable, the command starts a server.
import { ensureBuilt, ensureInstalled, ensureNode, run } from './ensure.mjs';

ensureNode();
await ensureInstalled(ensureBuilt);
const { WEATHERD_TEST_DATABASE_URL: url } = process.env;
// The variable is removed, because the service would refuse it as an unknown setting.
delete process.env.WEATHERD_TEST_DATABASE_URL;
run(
  'node_modules/.bin/mocha',
  [
    '--no-config',
    '--require=./dist/test/support/hooks.js',
    '--enable-source-maps',
    '--exit',
    // The limit is this high because Citus takes seconds to create and remove tables on several servers.
    '--timeout=600000',
    '--slow=60000',
    '--reporter=spec',
    'dist/test/contracts/stores/*.test.js',
    'dist/test/adapters/store-postgres/postgres-*.test.js',
    ...process.argv.slice(2),
  ],
  { TEST_STORE: 'postgres', ...(url && { TEST_POSTGRES_URL: url }) },
);
