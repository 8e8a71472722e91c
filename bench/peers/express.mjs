// Express in the form of its guide.
import express from 'express';
import { announce, health, INFO } from './content.mjs';

const app = express();
app.use(express.json());
app.get('/', (_request, response) => response.json(INFO));
app.get('/v1/health/info', (_request, response) => response.json(health()));
const server = app.listen(0, '127.0.0.1', () => announce(server));
