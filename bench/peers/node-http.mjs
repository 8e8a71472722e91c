// The server to which the other servers are compared. It uses only node:http and JSON.stringify.
import { createServer } from 'node:http';
import { announce, health, INFO, INVALID } from './content.mjs';

function send(response, status, content) {
  const body = JSON.stringify(content);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}

const server = createServer((request, response) => {
  if (request.method === 'POST') {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const { password } = JSON.parse(Buffer.concat(chunks).toString());
      send(response, typeof password === 'string' ? 200 : 400, INVALID);
    });
  } else if (request.url === '/') send(response, 200, INFO);
  else send(response, 200, health());
});
server.listen(0, '127.0.0.1', () => announce(server));
