import { PENDING_READINGS } from '#domain/uploads/pending-sender.js';
import { isGuessable, type UploadKey } from '#domain/uploads/upload-key.js';
import { statusOf, type UploadNote } from '#domain/uploads/upload-note.js';
import { readingsOf, unmappedFields } from '#domain/uploads/upload-readings.js';
import { keptText } from '#domain/uploads/upload-status.js';
import { chooseUploadTime } from '#domain/uploads/upload-time.js';
import type { Arrival, Upload, UploadOutcome } from '#domain/uploads/upload.js';
import { variableNamed } from '#domain/weather/variables.js';
import { KeyedQueue } from '../keyed-queue.js';
import { pauseFor } from '../pause.js';
import type { Telemetry } from '../ports/telemetry.js';
import type { Admission } from './arrivals/admission.js';
import type { IdentifiedSender, IdentifySender } from './keys/identify-sender.js';
import type { KeySecrets } from './keys/key-secrets.js';
import type { KeyTraffic } from './keys/key-traffic.js';
import type { UploadKeys } from './keys/upload-keys.js';
import type { PendingSenders } from './pending/pending-senders.js';
import type { RecordReadings } from './record-readings.js';
import type { UploadStatuses } from './status/upload-statuses.js';

export interface ReceiveUploadDependencies {
  readonly identify: IdentifySender;
  readonly keys: UploadKeys;
  readonly secrets: KeySecrets;
  readonly traffic: KeyTraffic;
  readonly pending: PendingSenders;
  readonly statuses: UploadStatuses;
  readonly record: RecordReadings;
  readonly telemetry: Telemetry;
}

type KnownSender = Extract<IdentifiedSender, { kind: 'key' }>;
/** A note without what is known before the values are stored. */
type AlarmFields = Omit<UploadNote, 'interval' | 'identity' | 'isPrevious'>;
type Stored = AlarmFields & { readonly outcome: UploadOutcome };
/** Notes an upload in the status of its key. @returns its outcome */
type Tell = <T extends AlarmFields>(told: T) => T['outcome'];

/** Takes an upload of a weather station: finds its key, its time and its values, and stores them. */
export class ReceiveUpload {
  readonly #with: ReceiveUploadDependencies;
  readonly #queue = new KeyedQueue();
  readonly #uploads;

  constructor(dependencies: ReceiveUploadDependencies) {
    this.#with = dependencies;
    this.#uploads = dependencies.telemetry.counter({
      name: 'weatherd_uploads_total',
      help: 'Uploads of weather stations.',
      // `fate` is the former name of `outcome`, for one more version.
      labels: ['dialect', 'outcome', 'fate', 'reason'],
    });
  }

  /** @throws DomainError STORE_UNAVAILABLE */
  async execute(upload: Upload, arrival: Arrival, admission: Admission): Promise<UploadOutcome> {
    const { dialect } = upload;
    try {
      const outcome = await this.#receive(upload, arrival, admission);
      const reason = outcome.kind === 'refused' ? outcome.reason : '';
      this.#count(dialect, outcome.kind, reason);
      return outcome;
    } catch (error) {
      this.#count(dialect, 'failed', '');
      throw error;
    }
  }

  #count(dialect: string, outcome: string, reason: string): void {
    this.#uploads({ dialect, outcome, fate: outcome, reason }).add(1);
  }

  async #receive(upload: Upload, arrival: Arrival, admission: Admission): Promise<UploadOutcome> {
    const { receivedAt } = arrival;
    const sender = await this.#identify(upload, arrival, admission);
    if (sender === undefined) return refused('rate', 'There are too many requests of this address.');
    if (sender.kind === 'stranger') return this.#listAsPending(upload, arrival, sender.digest);
    const { key } = sender;
    if (key === undefined) return refused('key', sender.kind === 'refused' ? sender.detail : '');
    const { delay, interval } = this.#with.traffic.push(key.number, receivedAt, {
      sent: upload.time.isLive ? receivedAt : upload.time.sent,
      maxDelay: admission.timeToWait(),
    });
    const begun = {
      interval,
      isPrevious: sender.kind === 'key' && sender.isPrevious,
      ...(upload.sender.identity !== undefined && {
        identity: this.#with.secrets.ofIdentity(upload.sender.identity),
      }),
    };
    const tell: Tell = (told) => {
      this.#with.statuses.note(key.number, statusOf(upload, arrival, { ...begun, ...told }));
      return told.outcome;
    };
    if (sender.kind === 'refused') return tell({ outcome: refused('key', sender.detail) });
    if (arrival.isApi === true && key.weak)
      return tell({ outcome: refused('key', 'A weak key is accepted at the port for uploads alone.') });
    if (delay === undefined) return tell({ outcome: refused('rate', 'There are too many uploads.') });
    if (upload.problem !== undefined) return tell({ outcome: refused('content', upload.problem) });
    this.#with.traffic.waits(key.number);
    try {
      return await this.#storeInTurn(sender, upload, receivedAt, delay, tell);
    } finally {
      this.#with.traffic.waitsNoLonger(key.number);
    }
  }

  #identify({ sender }: Upload, { receivedAt }: Arrival, admission: Admission) {
    return admission.identify<IdentifiedSender>({
      find: () => this.#with.identify.execute(sender, receivedAt),
      isRight: ({ kind }) => kind === 'key',
      isGuessable: isGuessable(sender),
    });
  }

  /** Stores an upload that may have to wait, because its key has sent many. */
  async #storeInTurn(
    sender: KnownSender,
    upload: Upload,
    receivedAt: number,
    delay: number,
    tell: Tell,
  ): Promise<UploadOutcome> {
    const { key } = sender;
    if (delay > 0) {
      await pauseFor(delay);
      if ((await this.#with.keys.get(key.number)) === undefined)
        return refused('key', 'The key was revoked.');
    }
    // One after the other, so that a repetition is not confirmed before the first one is stored.
    return await this.#queue.run(String(key.number), async () => {
      try {
        return tell(await this.#store(sender, upload, receivedAt));
      } catch (error) {
        tell({ outcome: { kind: 'failed', detail: 'The data could not be stored.' } });
        throw error;
      }
    });
  }

  async #store(
    { key, station, directory }: KnownSender,
    upload: Upload,
    receivedAt: number,
  ): Promise<Stored> {
    const { record, traffic } = this.#with;
    const placed = chooseUploadTime(upload.time, receivedAt);
    if (placed.kind === 'ahead')
      return { outcome: refused('time', `The time lies ${placed.seconds} s ahead.`), skew: placed.seconds };
    const { time, isReceiveTime, skew } = placed;
    const said = { skew, unmapped: unmappedFields(upload, key.mappings, undefined) };
    if (traffic.isRepeated(key.number, upload.digest, receivedAt, isReceiveTime))
      return { ...said, outcome: { kind: 'unchanged' } };
    const { stations, remarks } = readingsOf(upload, {
      mappings: key.mappings,
      settings: key.settings,
      station: station.number,
      elevation: station.elevation,
    });
    const { byNumber } = directory;
    const { runtime } = upload.device;
    const outcome = await record.execute(
      {
        source: `key ${key.number}`,
        key: key.number,
        time,
        isReceiveTime,
        // Stations of mappings that have been removed are left out.
        stations: new Map(
          [...stations].flatMap(([number, readings]) => {
            const id = byNumber.get(number)?.id;
            return id === undefined ? [] : [[id, readings] as const];
          }),
        ),
        ...(upload.counters.length > 0 && { rain: rainOf(key, station.id, upload) }),
        ...(runtime !== undefined && { runtime }),
      },
      directory,
    );
    if (outcome.kind === 'refused') return { ...said, outcome };
    traffic.accepted(key.number, upload.digest, receivedAt);
    const removed = [...stations.keys()].filter((number) => !byNumber.has(number)).length;
    return {
      outcome: { kind: outcome.kind },
      skew,
      ...(outcome.gauge !== undefined && { gauge: outcome.gauge }),
      reports: outcome.reports,
      remarks: [
        ...remarks,
        ...(removed === 0 ? [] : ['A station to which fields are mapped has been removed.']),
        ...(outcome.otherRain === undefined
          ? []
          : [`The rain of the station is stored from others too: ${outcome.otherRain.join(', ')}.`]),
      ],
      unmapped: unmappedFields(upload, key.mappings, outcome.gauge),
    };
  }

  #listAsPending(upload: Upload, arrival: Arrival, digest: string | null): UploadOutcome {
    const { secrets, pending } = this.#with;
    const { dialect, device, sender, readings } = upload;
    const { address, network = address, receivedAt } = arrival;
    const model = device.model === undefined ? null : keptText(device.model);
    const id = secrets.ofIdentity(digest ?? JSON.stringify([dialect, model, network])).slice(0, 8);
    const described = readings.slice(0, PENDING_READINGS).map(({ variable, unit, value }) => {
      return `${variable} ${value} ${unit ?? variableNamed(variable)?.unit ?? ''}`.trimEnd();
    });
    const sentId = sender.id === undefined ? null : keptText(sender.id);
    pending.note({ id, digest, sentId, dialect, model, address, network, readings: described }, receivedAt);
    return { kind: 'pending' };
  }
}

function rainOf({ settings }: UploadKey, station: string, { counters }: Upload) {
  const { gauge, rain } = settings;
  return { station, counters, ...(gauge !== null && { gauge }), ...(!rain && { isLeftOut: true }) };
}

function refused(reason: 'key' | 'time' | 'rate' | 'content', detail: string): UploadOutcome {
  return { kind: 'refused', reason, detail };
}
