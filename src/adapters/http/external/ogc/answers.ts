import type { DialectContext } from '../dialect.js';
import { featureAnswers } from './features.js';
import { metadataAnswers } from './metadata.js';
import type { Answers } from './routes.js';
import { queryAnswers } from './queries.js';

/** The code that answers. It is imported at the first request, so that a service without clients of this dialect does not load it. */
export function answersOf(context: DialectContext): Answers {
  return { ...metadataAnswers(context), ...featureAnswers(context), ...queryAnswers(context) };
}
