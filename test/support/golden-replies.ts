import { signIn } from './process.js';

/** Name of the administrator in the data of test/fixtures/versions. */
export const ADMINISTRATOR = 'ada';
/** Password of all users in the data of test/fixtures/versions. */
export const PASSWORD = 'correct horse battery staple';

const WEEK = 'from=2024-04-01T00:00:00Z&to=2024-04-08T00:00:00Z';
const ALL = 'from=2022-01-01T00:00:00Z&to=2025-01-01T00:00:00Z';
/** Dates in the time zone of the station, so that days differ from UTC days. */
const YEAR = 'from=2023-01-01&to=2025-01-01';

/** Routes that return stored data. Later versions may only add fields to their replies. */
export const STORED = [
  '/v1/users',
  '/v1/stations',
  '/v1/stations/roof',
  '/v1/stations/mast',
  '/v1/stations/daily',
  '/v1/stations/roof/overrules',
  '/v1/upload-keys',
  '/v1/alarms',
  '/v1/hooks',
  `/v1/stations/roof/observations?${WEEK}&limit=50&units=si`,
  `/v1/stations/mast/observations?${ALL}&limit=all&format=csv`,
  `/v1/stations/daily/observations?${ALL}&limit=100`,
  `/v1/stations/sent/observations?${ALL}`,
];

/** Routes that compute their replies. If a rule of these computations is changed on purpose, the replies change too. */
export const COMPUTED = [
  `/v1/stations/roof/summaries?${WEEK}&interval=hour`,
  `/v1/stations/roof/summaries?${YEAR}&interval=day`,
  `/v1/stations/daily/summaries?${YEAR}&interval=month`,
  `/v1/stations/roof/wind-rose?${WEEK}`,
  '/v1/stations/daily/climate/months?years=2023-2024',
  '/v1/stations/daily/climate/records',
];

export interface GoldenReply {
  readonly path: string;
  readonly status: number;
  /** The parsed JSON body, or the lines of another body. */
  readonly body: unknown;
}

async function post(url: string, token: string, body: object): Promise<{ readonly token: string }> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!reply.ok) throw new Error(`${url}: ${reply.status} ${await reply.text()}`);
  return (await reply.json()) as { readonly token: string };
}

/** Signs in as the administrator. @returns an elevated token */
export async function elevatedToken(base: string): Promise<string> {
  const { body } = await signIn(base, { username: ADMINISTRATOR, email: null, password: PASSWORD });
  const elevation = { password: PASSWORD, duration: null };
  if (body.token === undefined) throw new Error(JSON.stringify(body));
  return (await post(`${base}/v1/auth/elevate/`, body.token ?? '', elevation)).token;
}

/** Writes rows as a client of the external API. */
export async function sendRows(base: string, token: string, station: string, rows: object): Promise<void> {
  await post(`${base}/v1/stations/${station}/observations`, token, rows);
}

export async function repliesTo(
  base: string,
  token: string,
  paths: readonly string[],
): Promise<readonly GoldenReply[]> {
  const replies: GoldenReply[] = [];
  for (const path of paths) {
    // Compressing the replies and taking them apart takes longer than making them.
    const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'identity' };
    const reply = await fetch(`${base}${path}`, { headers });
    const text = await reply.text();
    const isJson = reply.headers.get('content-type')?.includes('json') === true;
    replies.push({ path, status: reply.status, body: isJson ? JSON.parse(text) : text.split('\n') });
  }
  return replies;
}
