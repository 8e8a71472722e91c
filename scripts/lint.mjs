// `npm run lint`: runs the linter with the types of the compiler, and checks the format of all files.
import { run } from './ensure.mjs';

run('node_modules/.bin/oxlint', ['--type-aware', '--deny-warnings']);
run('node_modules/.bin/oxfmt', ['--check', '.']);
