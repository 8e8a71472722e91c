// `npm run test:store`: runs the suites of the PostgreSQL store on the server in WEATHERD_TEST_DATABASE_URL, which can be the
// coordinator of Citus. Without this variable it starts a server.
import { ensureBuilt, ensureInstalled, ensureNode, run } from './ensure.mjs';

ensureNode();
ensureInstalled();
ensureBuilt();
const { WEATHERD_TEST_DATABASE_URL: url } = process.env;
// The service would refuse this variable as an unknown setting.
delete process.env.WEATHERD_TEST_DATABASE_URL;
run(
  'node_modules/.bin/mocha',
  [
    '--no-config',
    '--require=./dist/test/support/hooks.js',
    '--enable-source-maps',
    '--exit',
    // Creating and removing tables on several servers takes seconds.
    '--timeout=600000',
    '--slow=60000',
    '--reporter=spec',
    'dist/test/contracts/stores/*.test.js',
    'dist/test/adapters/store-postgres/postgres-*.test.js',
    ...process.argv.slice(2),
  ],
  { TEST_STORE: 'postgres', ...(url && { TEST_POSTGRES_URL: url }) },
);
