import { GetLiveliness } from '#application/operation/get-liveliness.js';
import type { ApiContext } from '../core/api-context.js';
import { type AnyEndpoint, emptyEndpoint } from '../core/endpoint.js';

export function getLivelinessEndpoint({ useCase }: ApiContext): AnyEndpoint {
  const getLiveliness = useCase(GetLiveliness);
  return emptyEndpoint({
    method: 'GET',
    path: '/v1/health/liveliness',
    summary: 'Whether everything works',
    description:
      'For load balancers and supervisors. A request is cheap, because the checks run in the background.',
    access: 'public',
    ignoresQuery: true,
    success: { kind: 'empty', status: 200, description: 'Everything works as expected.' },
    errors: ['SERVICE_UNAVAILABLE'],
    answersWhileClosing: true,
    call: () => getLiveliness.execute(),
  });
}
