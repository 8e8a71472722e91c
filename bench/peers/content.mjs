// The replies that all servers of the comparison send. They are the same, so that only the speed of the servers differs.
export const INFO = {
  success: true,
  code: 200,
  message: 'Welcome to the external API of weatherd.',
  version: '1.0.0',
  name: 'weatherd external API',
  repository: 'https://github.com/weatherd/weatherd',
};

export function health() {
  const milliseconds = performance.now();
  const uptime_human = `0 months 0 days 0 hours 0 minutes 0 seconds ${Math.floor(milliseconds)} milliseconds`;
  return {
    success: true,
    code: 200,
    message: 'Health information.',
    stats: { uptime: milliseconds / 1000, uptime_human },
  };
}

export const INVALID = {
  success: false,
  code: 400,
  message: 'body.password: expected a string',
  error: 'REQUEST_INVALID',
};

export function announce(server) {
  process.stderr.write(`listening on http://127.0.0.1:${server.address().port}\n`);
}
