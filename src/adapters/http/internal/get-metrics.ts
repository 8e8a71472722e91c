import { expositionText, PROMETHEUS_TYPE } from '#adapters/formats/openmetrics/exposition.js';
import { OPENMETRICS_TYPE } from '#adapters/formats/openmetrics/metric.js';
import { type AnyEndpoint, contentEndpoint } from '../core/endpoint.js';
import type { InternalContext } from './internal-context.js';

export function getMetricsEndpoint({ metrics }: InternalContext): AnyEndpoint {
  return contentEndpoint({
    method: 'GET',
    path: '/metrics',
    summary: 'Read the metrics of the service',
    description:
      'The metrics are for Prometheus: in its text format 0.0.4, or in OpenMetrics 1.0 if `Accept` prefers it. A metric that ' +
      'cannot be read within 3 s, because the store does not answer, is left out.',
    access: 'public',
    success: {
      kind: 'content',
      status: 200,
      description: 'The metrics of the service.',
      mediaTypes: { [PROMETHEUS_TYPE]: undefined, [OPENMETRICS_TYPE]: undefined },
    },
    errors: [],
    call: (call) => {
      const mediaType = call.prefers([PROMETHEUS_TYPE, OPENMETRICS_TYPE]);
      const isOpenMetrics = mediaType === OPENMETRICS_TYPE;
      return {
        mediaType,
        body: async () => ({
          content: expositionText(await metrics(), isOpenMetrics),
          headers: { vary: 'Accept, Accept-Encoding' },
        }),
      };
    },
  });
}
