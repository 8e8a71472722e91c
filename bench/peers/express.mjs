// A server with Express, written like the examples in the guide of Express.
import express from 'express';
import { announce, health, INFO } from './content.mjs';

const app = express();
app.use(express.json());
app.get('/', (_request, response) => response.json(INFO));
app.get('/v1/health/info', (_request, response) => response.json(health()));
const server = app.listen(0, '127.0.0.1', () => announce(server));
