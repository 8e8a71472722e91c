import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { dirname } from 'node:path';
import { CHECK_STATES, type CheckState } from '#application/operation/monitor-health.js';
import type { Config } from '../config.js';
import { isLoopback, socketPath } from '../settings/settings.js';
import { fail, type Finding, ok, warn } from './findings.js';
import { askService, type ProbedAddress, placeText } from './probe.js';

const FIRST_UNPRIVILEGED = '/proc/sys/net/ipv4/ip_unprivileged_port_start';
const UPLOADS_CHECK = 'uploads listener';

interface ServiceCheck {
  readonly name: string;
  readonly state: CheckState;
  readonly detail: string | null;
}

export interface FoundListeners {
  /** Whether a service with these settings runs. */
  readonly isRunning: boolean;
  readonly findings: readonly Finding[];
  /** The SHA-256 fingerprint of the certificate of the running service; undefined without TLS. */
  readonly fingerprint: string | undefined;
}

/** Whether each port is free or used by our own service, and what a running service says of itself. @param version of this program */
export async function checkListeners(config: Config, version: string): Promise<FoundListeners> {
  const internal: ProbedAddress = {
    host: config.INTERNAL_HOST,
    port: config.INTERNAL_PORT,
    isSecure: false,
    secret: config.INTERNAL_SECRET,
  };
  const external: ProbedAddress = {
    host: config.EXTERNAL_HOST,
    port: config.EXTERNAL_PORT,
    isSecure: config.EXTERNAL_TLS_CERT !== undefined,
  };
  const [inner, outer] = [await checkApi('internal', internal), await checkApi('external', external)];
  const checks = inner.version === undefined ? [] : await serviceChecks(internal);
  const findings = [outer.finding, inner.finding];
  if (config.UPLOADS_ENABLED) findings.push(await checkUploads(config, checks));
  findings.push(...serviceFindings(inner.version, version, checks));
  const isRunning = inner.version !== undefined;
  return { isRunning, findings, fingerprint: outer.version === undefined ? undefined : outer.fingerprint };
}

interface FoundApi {
  readonly finding: Finding;
  /** The version of the running service; undefined if none listens there. */
  readonly version?: string | undefined;
  readonly fingerprint?: string | undefined;
}

async function checkApi(name: 'internal' | 'external', place: ProbedAddress): Promise<FoundApi> {
  const check = `${name} API`;
  const setting = `WEATHERD_${name.toUpperCase()}`;
  if (place.port === 0 && socketPath(place.host) === undefined)
    return { finding: ok(check, 'It listens on any free port (0), so it is not examined.') };
  const reply = await askService(place, '/');
  const where = placeText(place);
  if (reply === undefined) return { finding: freeFinding(check, setting, place) };
  if (reply !== 'no answer' && reply.body.includes(`"weatherd ${name} API"`)) {
    const [, version] = /"version":"([^"]+)"/.exec(reply.body) ?? [];
    return {
      finding: ok(check, `The service listens on ${where}.`),
      version,
      fingerprint: reply.fingerprint,
    };
  }
  if (reply !== 'no answer' && reply.status === 401)
    return {
      finding: fail(
        check,
        `What listens on ${where} refuses the secret of these settings (${setting}_SECRET).`,
      ),
    };
  const other =
    socketPath(place.host) === undefined
      ? `${setting}_PORT sets another port`
      : `${setting}_HOST sets another path`;
  return {
    finding: fail(check, `Another program, or weatherd with other settings, listens on ${where}: ${other}.`),
  };
}

/** Whether the service could listen where nobody listens. */
function freeFinding(check: string, setting: string, place: ProbedAddress): Finding {
  const { host, port } = place;
  const path = socketPath(host);
  const where = placeText(place);
  if (path !== undefined) {
    const folder = dirname(path);
    if (!existsSync(folder))
      return warn(
        check,
        `There is no folder ${folder} for the socket: make it. A unit with RuntimeDirectory= makes it at the start.`,
      );
    try {
      accessSync(folder, constants.W_OK);
    } catch {
      return fail(
        check,
        `This user cannot make the socket in ${folder}: give the folder to the user of the service.`,
      );
    }
    return ok(check, `${where} is free.`);
  }
  if (
    isIP(host) !== 0 &&
    !['0.0.0.0', '::'].includes(host) &&
    !isLoopback(host) &&
    !ownAddresses().includes(host)
  )
    return fail(check, `This machine does not have the address ${host}: correct ${setting}_HOST.`);
  if (port < firstUnprivilegedPort() && process.getuid?.() !== 0)
    return warn(
      check,
      `${where} is free, but ports below ${firstUnprivilegedPort()} need a right: AmbientCapabilities=CAP_NET_BIND_SERVICE ` +
        'in the unit, or another port behind a proxy.',
    );
  return ok(check, `${where} is free.`);
}

function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((found) => (found ?? []).map(({ address }) => address));
}

/** Only root may listen on lower ports. 0 on systems without this rule. */
function firstUnprivilegedPort(): number {
  try {
    return Number(readFileSync(FIRST_UNPRIVILEGED, 'utf8'));
  } catch {
    return process.platform === 'win32' ? 0 : 1024;
  }
}

async function checkUploads(config: Config, checks: readonly ServiceCheck[]): Promise<Finding> {
  const check = 'uploads';
  const place: ProbedAddress = { host: config.UPLOADS_HOST, port: config.UPLOADS_PORT, isSecure: false };
  if (place.port === 0) return ok(check, 'It listens on any free port (0), so it is not examined.');
  if ((await askService(place, '/')) === undefined) return freeFinding(check, 'WEATHERD_UPLOADS', place);
  if (checks.some(({ name }) => name === UPLOADS_CHECK))
    return ok(check, `The service listens on ${placeText(place)}.`);
  return fail(
    check,
    `Another program listens on ${placeText(place)}: WEATHERD_UPLOADS_PORT sets another port.`,
  );
}

/** The results of the background checks of a running service. */
async function serviceChecks(place: ProbedAddress): Promise<readonly ServiceCheck[]> {
  const reply = await askService(place, '/v1/health/checks');
  if (reply === undefined || reply === 'no answer' || reply.status !== 200) return [];
  const { checks } = JSON.parse(reply.body) as { checks?: readonly ServiceCheck[] };
  return (checks ?? []).filter(({ state }) => CHECK_STATES.includes(state));
}

function serviceFindings(
  running: string | undefined,
  version: string,
  checks: readonly ServiceCheck[],
): Finding[] {
  const check = 'service';
  if (running === undefined) return [ok(check, 'It does not run with these settings.')];
  const findings: Finding[] = [];
  if (running !== version)
    findings.push(warn(check, `It runs version ${running}, and ${version} is installed: restart it.`));
  for (const { name, state, detail } of checks) {
    const text = `Its check "${name}" is ${state}: ${detail ?? 'its log says why.'}`;
    if (state !== 'ok') findings.push(state === 'failed' ? fail(check, text) : warn(check, text));
  }
  return findings.length > 0
    ? findings
    : [ok(check, `It runs, and all of its ${checks.length} checks are ok.`)];
}
