import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { dirname } from 'node:path';
import { CHECK_STATES, type CheckState } from '#application/operation/monitor-health.js';
import type { Config } from '../config.js';
import { isLoopback, socketPath } from '../settings/settings.js';
import { fail, type Finding, ok, warn } from './findings.js';
import { probeService, type ProbedAddress, addressText } from './probe.js';

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

/** Checks whether each port is free or used by this service, and reads the state of a running service. @param version of this program */
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
  if (config.OPENMETEO_PORT !== undefined)
    findings.push(await checkOpenMeteo(external, config.OPENMETEO_PORT));
  if (config.UPLOADS_ENABLED) findings.push(await checkUploads(config, checks));
  findings.push(...serviceFindings(inner.version, version, checks));
  const isRunning = inner.version !== undefined;
  return { isRunning, findings, fingerprint: outer.version === undefined ? undefined : outer.fingerprint };
}

interface FoundApi {
  readonly finding: Finding;
  /** The version of the running service; undefined if no service listens on the address. */
  readonly version?: string | undefined;
  readonly fingerprint?: string | undefined;
}

async function checkApi(name: 'internal' | 'external', address: ProbedAddress): Promise<FoundApi> {
  const check = `${name} API`;
  const setting = `WEATHERD_${name.toUpperCase()}`;
  if (address.port === 0 && socketPath(address.host) === undefined)
    return { finding: ok(check, 'The API listens on any free port (0), so it is not examined.') };
  const reply = await probeService(address, '/');
  const where = addressText(address);
  if (reply === undefined) return { finding: freeFinding(check, setting, address) };
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
        `The service on ${where} refuses the secret of these settings (${setting}_SECRET): restart it with the same settings.`,
      ),
    };
  const other =
    socketPath(address.host) === undefined
      ? `${setting}_PORT sets another port`
      : `${setting}_HOST sets another path`;
  return {
    finding: fail(check, `Another program, or weatherd with other settings, listens on ${where}: ${other}.`),
  };
}

/** Checks whether the service could listen on an unused address. */
function freeFinding(check: string, setting: string, address: ProbedAddress): Finding {
  const { host, port } = address;
  const path = socketPath(host);
  const where = addressText(address);
  if (path !== undefined) {
    const folder = dirname(path);
    if (!existsSync(folder))
      return warn(
        check,
        `The folder ${folder} for the socket does not exist: create it. A unit with RuntimeDirectory= creates it at the start.`,
      );
    try {
      accessSync(folder, constants.W_OK);
    } catch {
      return fail(
        check,
        `This user cannot create the socket in ${folder}: make the user of the service the owner of the folder.`,
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
      `${where} is free, but ports below ${firstUnprivilegedPort()} need a privilege: set AmbientCapabilities=CAP_NET_BIND_SERVICE ` +
        'in the unit, or use another port behind a proxy.',
    );
  return ok(check, `${where} is free.`);
}

function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address));
}

/** The first port on which other users than root may listen. 0 on systems without this rule. */
function firstUnprivilegedPort(): number {
  try {
    return Number(readFileSync(FIRST_UNPRIVILEGED, 'utf8'));
  } catch {
    return process.platform === 'win32' ? 0 : 1024;
  }
}

/** Checks the listener of `WEATHERD_OPENMETEO_PORT`. @param external address of the external API, with which it shares host and certificate */
async function checkOpenMeteo(external: ProbedAddress, port: number): Promise<Finding> {
  const check = 'Open-Meteo';
  const address = { ...external, port };
  if (port === 0) return ok(check, 'The listener uses any free port (0), so it is not examined.');
  const reply = await probeService(address, '/v1/forecast');
  if (reply === undefined) return freeFinding(check, 'WEATHERD_OPENMETEO', address);
  // A request without a place gets an error in the form of Open-Meteo.
  if (reply !== 'no answer' && reply.body.startsWith('{"error":true,"reason":'))
    return ok(check, `The service listens on ${addressText(address)}.`);
  return fail(
    check,
    `Another program listens on ${addressText(address)}: WEATHERD_OPENMETEO_PORT sets another port.`,
  );
}

async function checkUploads(config: Config, checks: readonly ServiceCheck[]): Promise<Finding> {
  const check = 'uploads';
  const address: ProbedAddress = { host: config.UPLOADS_HOST, port: config.UPLOADS_PORT, isSecure: false };
  if (address.port === 0) return ok(check, 'The listener uses any free port (0), so it is not examined.');
  if ((await probeService(address, '/')) === undefined)
    return freeFinding(check, 'WEATHERD_UPLOADS', address);
  if (checks.some(({ name }) => name === UPLOADS_CHECK))
    return ok(check, `The service listens on ${addressText(address)}.`);
  return fail(
    check,
    `Another program listens on ${addressText(address)}: WEATHERD_UPLOADS_PORT sets another port.`,
  );
}

/** The results of the background checks of a running service. */
async function serviceChecks(address: ProbedAddress): Promise<readonly ServiceCheck[]> {
  const reply = await probeService(address, '/v1/health/checks');
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
  if (running === undefined) return [ok(check, 'No service runs with these settings.')];
  const findings: Finding[] = [];
  if (running !== version)
    findings.push(
      warn(
        check,
        `The service runs version ${running}, but version ${version} is installed: restart the service.`,
      ),
    );
  for (const { name, state, detail } of checks) {
    const text = `The check "${name}" of the service is ${state}: ${detail ?? 'its log gives the reason.'}`;
    if (state !== 'ok') findings.push(state === 'failed' ? fail(check, text) : warn(check, text));
  }
  return findings.length > 0
    ? findings
    : [ok(check, `The service runs, and all of its ${checks.length} checks are ok.`)];
}
