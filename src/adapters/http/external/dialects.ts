import type { AnyEndpoint } from '../core/endpoint.js';
import type { Dialect, DialectContext } from './dialect.js';
import { ogcDialect } from './ogc/ogc.js';
import { openMeteoDialect } from './open-meteo/index.js';

const DIALECTS: readonly Dialect[] = [openMeteoDialect, ogcDialect];

/** The endpoints of all dialects. */
export function dialectEndpoints(context: DialectContext): readonly AnyEndpoint[] {
  return DIALECTS.flatMap((dialect) => dialect(context));
}
