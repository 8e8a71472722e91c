import { IncomingMessage, ServerResponse } from 'node:http';
import express, { type ErrorRequestHandler, type Express, type Request, type Response } from 'express';
import { writeReply } from '../core/reply/reply.js';
import type { Api, Handler, Mounted, Transport } from '../core/transport.js';

/** A transport with Express 5. */
export const expressTransport: Transport = {
  name: 'express',

  mount(api: Api): Mounted {
    const app = express();
    app.disable('x-powered-by');
    app.disable('etag');
    // Express must not parse the query, because the core parses it.
    app.set('query parser', false);
    app.enable('case sensitive routing');
    app.enable('strict routing');
    const classes = makeClasses(app);

    for (const { methods, path, handle } of api.routes) {
      const route = app.route(path);
      for (const method of methods) {
        route[method.toLowerCase() as 'get'](answer(handle));
      }
    }
    app.use(answer(api.otherwise));
    const onError: ErrorRequestHandler = (error, request, response, _next) =>
      writeReply(response, api.fail(error, request));
    app.use(onError);
    return { dispatch: app, classes };
  },
};

export default expressTransport;

function answer(handle: Handler) {
  return (message: Request, response: Response): Promise<void> | undefined => {
    const content = handle({ message, response, params: message.params as Record<string, string> });
    return content instanceof Promise
      ? content.then((late) => writeReply(response, late))
      : writeReply(response, content);
  };
}

/**
 * Express sets the prototype of every request and response to its own objects. V8 then discards its optimizations for these
 * objects, which takes 80 of the 100 µs of a request. If the server creates its messages with these prototypes, setting them
 * again changes nothing and costs nothing. docs/performance.md has the measurement.
 */
function makeClasses(app: Express): NonNullable<Mounted['classes']> {
  class ExpressMessage extends IncomingMessage {}
  class ExpressResponse extends ServerResponse {}
  Object.setPrototypeOf(ExpressMessage.prototype, app.request);
  Object.setPrototypeOf(ExpressResponse.prototype, app.response);
  app.request = ExpressMessage.prototype as Request;
  app.response = ExpressResponse.prototype as Response;
  return { IncomingMessage: ExpressMessage, ServerResponse: ExpressResponse as typeof ServerResponse };
}
