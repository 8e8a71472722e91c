// `npm run lint`: the linter, with the compiler's types, and the formatter's check.
import { run } from './ensure.mjs';

run('node_modules/.bin/oxlint', ['--type-aware', '--deny-warnings']);
run('node_modules/.bin/prettier', ['--check', '--log-level=warn', '.']);
