import { PENDING_READINGS, type PendingSender } from '#domain/uploads/pending-sender.js';
import { sensorStateOf } from '#domain/sensors/sensor-state.js';
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
import type { NoteSensors } from '../sensors/note-sensors.js';
import type { Admission } from './arrivals/admission.js';
import type { IdentifiedSender, IdentifySender } from './keys/identify-sender.js';
import type { KeySecrets } from './keys/key-secrets.js';
import type { KeyTraffic } from './keys/key-traffic.js';
import type { UploadKeyCache } from './keys/upload-key-cache.js';
import type { PendingSenders } from './pending/pending-senders.js';
import type { RecordReadings } from './record-readings.js';
import type { UploadStatuses } from './status/upload-statuses.js';

export interface ReceiveUploadDependencies {
  readonly identify: IdentifySender;
  readonly keys: UploadKeyCache;
  readonly secrets: KeySecrets;
  readonly traffic: KeyTraffic;
  readonly pending: PendingSenders;
  readonly statuses: UploadStatuses;
  readonly sensors: NoteSensors;
  readonly record: RecordReadings;
  readonly telemetry: Telemetry;
}

type KnownSender = Extract<IdentifiedSender, { kind: 'key' }>;
/**
 * The fields of an `UploadNote` that are known only after the values of the upload were processed: the outcome, and details for
 * the status of the key. The other fields (`interval`, `identity`, `isPrevious`) are known before.
 */
type ProcessedNote = Omit<UploadNote, 'interval' | 'identity' | 'isPrevious'>;
type Stored = ProcessedNote & { readonly outcome: UploadOutcome };
/**
 * Notes an upload in the status of its key. The status shows people the last uploads and their problems.
 *
 * @returns the outcome of the upload
 */
type NoteUpload = <T extends ProcessedNote>(note: T) => T['outcome'];

/** Receives an upload of a weather station: finds its key, its time and its values, and stores them. */
export class ReceiveUpload {
  readonly #with: ReceiveUploadDependencies;
  readonly #queue = new KeyedQueue();
  readonly #uploads;

  constructor(dependencies: ReceiveUploadDependencies) {
    this.#with = dependencies;
    this.#uploads = dependencies.telemetry.counter({
      name: 'weatherd_uploads_total',
      help: 'Uploads of weather stations.',
      // The label `fate` is the former name of `outcome`. It is written for one more version.
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
    if (sender === undefined)
      return refused('rate', 'This address sends too many requests. Try again later.');
    if (sender.kind === 'stranger') {
      this.#listAsPending(upload, arrival, sender);
      return { kind: 'pending' };
    }
    const { key } = sender;
    if (key === undefined) {
      // A console does not show the reply to a person. A script at the external API does.
      if (arrival.isApi !== true) this.#listAsPending(upload, arrival, { digest: null, isWrongKey: true });
      return refused('key', sender.kind === 'refused' ? sender.detail : '');
    }
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
    const noteUpload: NoteUpload = (note) => {
      this.#with.statuses.note(key.number, statusOf(upload, arrival, { ...begun, ...note }));
      return note.outcome;
    };
    if (sender.kind === 'refused') return noteUpload({ outcome: refused('key', sender.detail) });
    if (arrival.isApi === true && key.weak)
      return noteUpload({
        outcome: refused('key', 'A weak key is accepted only at the port for uploads.'),
      });
    if (delay === undefined)
      return noteUpload({ outcome: refused('rate', 'This key sends too many uploads at once.') });
    if (upload.problem !== undefined) return noteUpload({ outcome: refused('content', upload.problem) });
    this.#with.traffic.beginWait(key.number);
    try {
      return await this.#storeInTurn(sender, upload, receivedAt, delay, noteUpload);
    } finally {
      this.#with.traffic.endWait(key.number);
    }
  }

  #identify({ sender }: Upload, { receivedAt }: Arrival, admission: Admission) {
    return admission.identify<IdentifiedSender>({
      find: () => this.#with.identify.execute(sender, receivedAt),
      isValid: ({ kind }) => kind === 'key',
      isGuessable: isGuessable(sender),
    });
  }

  /** Stores an upload, after a delay if its key has sent many uploads. */
  async #storeInTurn(
    sender: KnownSender,
    upload: Upload,
    receivedAt: number,
    delay: number,
    noteUpload: NoteUpload,
  ): Promise<UploadOutcome> {
    const { key } = sender;
    if (delay > 0) {
      await pauseFor(delay);
      if ((await this.#with.keys.get(key.number)) === undefined)
        return refused('key', 'The key was revoked.');
    }
    // The uploads of a key are stored one after the other. So a repeated upload is confirmed only after the original upload is
    // stored.
    return await this.#queue.run(String(key.number), async () => {
      try {
        const stored = await this.#store(sender, upload, receivedAt);
        if (stored.outcome.kind !== 'refused') this.#noteSensors(sender, upload, receivedAt);
        return noteUpload(stored);
      } catch (error) {
        noteUpload({ outcome: { kind: 'failed', detail: 'The data could not be stored.' } });
        throw error;
      }
    });
  }

  #noteSensors({ key, station }: KnownSender, { device }: Upload, receivedAt: number): void {
    const states = Object.entries(device.batteries).flatMap(
      ([sensor, text]) => sensorStateOf(sensor, text) ?? [],
    );
    this.#with.sensors.note(station.number, { key: key.number }, states, receivedAt);
  }

  async #store(
    { key, station, directory }: KnownSender,
    upload: Upload,
    receivedAt: number,
  ): Promise<Stored> {
    const { record, traffic } = this.#with;
    const placed = chooseUploadTime(upload.time, receivedAt);
    if (placed.kind === 'ahead')
      return {
        outcome: refused('time', `The time is ${placed.seconds} s in the future.`),
        skew: placed.seconds,
      };
    const { time, isReceiveTime, skew } = placed;
    const common = { skew, unmapped: unmappedFields(upload, key.mappings, undefined) };
    if (traffic.isRepeated(key.number, upload.digest, receivedAt, isReceiveTime))
      return { ...common, outcome: { kind: 'unchanged' } };
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
        // A mapping to a removed station has no effect.
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
    if (outcome.kind === 'refused') return { ...common, outcome };
    traffic.accepted(key.number, upload.digest, receivedAt);
    const removed = [...stations.keys()].filter((number) => !byNumber.has(number)).length;
    return {
      outcome: { kind: outcome.kind },
      skew,
      ...(outcome.gauge !== undefined && { gauge: outcome.gauge }),
      reports: outcome.reports,
      remarks: [
        ...remarks,
        ...(removed === 0
          ? []
          : ['A station to which fields are mapped was removed, so these fields are not stored.']),
        ...(outcome.otherRain === undefined
          ? []
          : [`Other senders also store rain of this station: ${outcome.otherRain.join(', ')}.`]),
      ],
      unmapped: unmappedFields(upload, key.mappings, outcome.gauge),
    };
  }

  #listAsPending(
    upload: Upload,
    arrival: Arrival,
    { digest, isWrongKey = false }: Pick<PendingSender, 'digest' | 'isWrongKey'>,
  ): void {
    const { secrets, pending } = this.#with;
    const { dialect, device, sender, readings } = upload;
    const { address, network = address, receivedAt } = arrival;
    const model = device.model === undefined ? null : keptText(device.model);
    const id = secrets
      .ofIdentity(digest ?? JSON.stringify([dialect, model, network, isWrongKey]))
      .slice(0, 8);
    const described = readings.slice(0, PENDING_READINGS).map(({ variable, unit, value }) => {
      return `${variable} ${value} ${unit ?? variableNamed(variable)?.unit ?? ''}`.trimEnd();
    });
    // With a key in the path, the id is not looked at.
    const sentId = sender.id === undefined || sender.key !== undefined ? null : keptText(sender.id);
    const seen = { id, digest, isWrongKey, sentId, dialect, model, address, network, readings: described };
    pending.note(seen, receivedAt);
  }
}

function rainOf({ settings }: UploadKey, station: string, { counters }: Upload) {
  const { gauge, rain } = settings;
  return { station, counters, ...(gauge !== null && { gauge }), ...(!rain && { isLeftOut: true }) };
}

function refused(reason: 'key' | 'time' | 'rate' | 'content', detail: string): UploadOutcome {
  return { kind: 'refused', reason, detail };
}
