import fastify, { type FastifyReply, type FastifyRequest, type HTTPMethods } from 'fastify';
import { type Reply, writeReply } from '../core/reply/reply.js';
import type { Api, Handler, Mounted, Transport } from '../core/transport.js';

/**
 * Largest number of characters of a path parameter. No request target within the limit of headers has so many. With Fastify's
 * default of 100, a longer parameter would get a 404.
 */
const MAX_PARAM_LENGTH = 65_536;

/**
 * Replaces the two schema compilers of Fastify, so that they are not loaded. They are not needed, because the core validates and
 * serializes.
 */
const NO_COMPILERS = { buildValidator: unreached, buildSerializer: unreached };

/** A transport with Fastify 5. */
export const fastifyTransport: Transport = {
  name: 'fastify',

  async mount(api: Api): Promise<Mounted> {
    const app = fastify({
      exposeHeadRoutes: false,
      schemaController: { compilersFactory: NO_COMPILERS },
      routerOptions: { caseSensitive: true, ignoreTrailingSlash: false, maxParamLength: MAX_PARAM_LENGTH },
    });
    for (const { methods, path, handle } of api.routes) {
      app.route({
        method: [...methods] as HTTPMethods[],
        url: path,
        onRequest: answer(handle, api),
        handler: unreached,
      });
    }
    const answerOtherwise = answer(api.otherwise, api);
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
 * Replies in Fastify's first hook. In later steps, Fastify itself would check the content type and the body. Fastify would then
 * refuse some requests that the core accepts, and other requests with a worse message than the message of the core.
 */
function answer(handle: Handler, api: Api) {
  return ({ raw: message, params }: FastifyRequest, reply: FastifyReply): void => {
    const fail = (error: unknown) => send(reply, api.fail(error, message));
    const content = handle({ message, response: reply.raw, params: params as Record<string, string> });
    if (content instanceof Promise) {
      content.then((late) => send(reply, late)).catch(fail);
      return;
    }
    try {
      send(reply, content);
    } catch (error) {
      fail(error);
    }
  };
}

/**
 * Writes a reply without Fastify's own `send`. The hooks, serializers and content types of `send` are not used, and would take 3
 * of the 24 µs of a request.
 */
function send(reply: FastifyReply, content: Reply): void {
  reply.hijack();
  void writeReply(reply.raw, content);
}

function unreached(): never {
  throw new Error('Fastify must not call this function: the onRequest hook has replied');
}
