// A server with Fastify, written like the examples in the guide of Fastify.
import fastify from 'fastify';
import { announce, health, INFO } from './content.mjs';

const app = fastify();
app.get('/', async () => INFO);
app.get('/v1/health/info', async () => health());
await app.listen({ port: 0, host: '127.0.0.1' });
announce(app.server);
