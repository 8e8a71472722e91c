import fastify, { type FastifyReply, type FastifyRequest, type HTTPMethods } from 'fastify';
import type { Reply } from '../core/reply/reply.js';
import type { Api, Handler, Mounted, Transport } from '../core/transport.js';

/** Longer than any target that the limit on headers lets through; Fastify's own 100 would be a 404 for the rest. */
const MAX_PARAM_LENGTH = 65_536;

/** Routes with Fastify 5. */
export const fastifyTransport: Transport = {
  name: 'fastify',

  async mount(api: Api): Promise<Mounted> {
    const app = fastify({
      exposeHeadRoutes: false,
      routerOptions: { caseSensitive: true, ignoreTrailingSlash: false, maxParamLength: MAX_PARAM_LENGTH },
    });
    for (const { methods, path, handle } of api.routes) {
      app.route({
        method: [...methods] as HTTPMethods[],
        url: path,
        onRequest: answer(handle),
        handler: unreached,
      });
    }
    const answerOtherwise = answer(api.otherwise);
    app.addHook('onRequest', (request, reply, done) => {
      if (request.is404) answerOtherwise(request, reply);
      else done();
    });
    app.setErrorHandler((error, request, reply) => send(reply, api.fail(error, request.raw)));
    await app.ready();
    return { dispatch: (message, response) => app.routing(message, response), close: () => app.close() };
  },
};

export default fastifyTransport;

/**
 * Answers in Fastify's first hook. Behind it Fastify looks at the content type and the body by rules of its own, and
 * refuses what the core would tell better, or take.
 */
function answer(handle: Handler) {
  return (request: FastifyRequest, reply: FastifyReply): void => {
    const params = request.params as Record<string, string>;
    const content = handle({ message: request.raw, response: reply.raw, params });
    if (!(content instanceof Promise)) return send(reply, content);
    content.then((late) => send(reply, late)).catch((error: unknown) => reply.send(error));
  };
}

function send(reply: FastifyReply, { status, headers, body }: Reply): void {
  // With a serializer of its own a string is sent as it is; without one Fastify adds a charset to JSON.
  reply.code(status).headers(headers).serializer(asIs).send(body);
}

function asIs(content: unknown): string {
  return content as string;
}

function unreached(): never {
  throw new Error('answered by the onRequest hook');
}
