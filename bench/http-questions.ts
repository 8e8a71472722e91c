const head = 'Host: 127.0.0.1\r\n';
const malformed = '{"username": "ada", "email": null, "password": 12}';
const post = `${head}Content-Type: application/json\r\nContent-Length: ${malformed.length}\r\n\r\n${malformed}`;

/** Raw requests with replies of a few hundred bytes. */
export const QUESTIONS = {
  'GET /': `GET / HTTP/1.1\r\n${head}\r\n`,
  'GET /v1/health/info': `GET /v1/health/info HTTP/1.1\r\n${head}\r\n`,
  'POST malformed': `POST /v1/auth/authenticate/ HTTP/1.1\r\n${post}`,
} as const;

const JFK = '/v1/stations/JFK';

/** Raw requests for the data of `weatherd demo`. Each reply fits into one segment on loopback. */
export const DEMO_QUESTIONS = {
  'GET newest values': `GET ${JFK}/observations/latest HTTP/1.1\r\n${head}\r\n`,
  'GET a day': `GET ${JFK}/observations?from=2013-07-01&to=2013-07-02 HTTP/1.1\r\n${head}\r\n`,
  'GET a station': `GET ${JFK} HTTP/1.1\r\n${head}\r\n`,
} as const;
