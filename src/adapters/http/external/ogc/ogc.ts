import { z } from 'zod';
import { contentEndpoint } from '#adapters/http/core/endpoint.js';
import type { Dialect } from '../dialect.js';
import { ogcError } from './ogc-error.js';
import { type Answers, type OgcCall, type RouteName, ROUTES } from './routes.js';

/**
 * OGC API - Features 1.0 (OGC 17-069r4) and OGC API - Environmental Data Retrieval 1.1 (OGC 19-086r6), for GDAL, QGIS, OWSLib and
 * other clients of maps and of weather data. Both are read-only here.
 */
export const ogcDialect: Dialect = (context) => {
  let answers: Promise<Answers> | undefined;
  const load = () => (answers ??= import('./answers.js').then(({ answersOf }) => answersOf(context)));
  return (Object.keys(ROUTES) as RouteName[]).map((name) => {
    const { path, summary, isPublic } = ROUTES[name];
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, field = '']) => [field, z.string()] as const);
    return contentEndpoint({
      method: 'GET',
      path,
      summary,
      access: isPublic ? 'public' : context.readAccess,
      ...(names.length > 0 && { params: z.strictObject(Object.fromEntries(names)) }),
      ignoresQuery: true,
      success: { kind: 'content', status: 200, description: summary, mediaTypes: {} },
      errors: [],
      errorReply: ogcError,
      call: async (call) => (await load())[name](call as OgcCall),
    });
  });
};
