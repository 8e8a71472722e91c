import type { ServiceIdentifier } from 'inversify';
import type { ImportFormat } from '#adapters/formats/import-formats/import-format.js';
import type { UploadsControl as UploadsControlPort } from '#adapters/http/external/external-context.js';
import type { Log as LogAdapter } from '#adapters/log-pino/logger.js';
import type { Registry } from '#adapters/telemetry-registry/registry.js';
import type { Dispatcher } from '#application/hooks/dispatcher.js';
import type { AlarmStore as AlarmStorePort } from '#application/ports/alarm-store.js';
import type { Announcer as AnnouncerPort } from '#application/ports/announcer.js';
import type { AuditStore as AuditStorePort } from '#application/ports/audit-store.js';
import type { Calendar as CalendarPort } from '#application/ports/calendar.js';
import type { Check } from '#application/ports/check.js';
import type { Clock as ClockPort } from '#application/ports/clock.js';
import type { CredentialStore as CredentialStorePort } from '#application/ports/credential-store.js';
import type { DataVerifier as DataVerifierPort } from '#application/ports/data-verifier.js';
import type { DailyAggregateStore as DailyAggregateStorePort } from '#application/ports/daily-aggregate-store.js';
import type { DemoRecording as DemoRecordingPort } from '#application/ports/demo-recording.js';
import type { Delivery as DeliveryPort } from '#application/ports/delivery.js';
import type { HookStore as HookStorePort } from '#application/ports/hook-store.js';
import type { ForecastSettings as ForecastSettingsValue } from '#application/forecast/issue-forecast.js';
import type { ForecastFields as ForecastFieldsValue } from '#application/hooks/forecasts/forecast-outbox.js';
import type { ForecastTimes as ForecastTimesValue } from '#application/forecast/run-forecasts.js';
import type { ForecastProvider } from '#application/ports/forecast-provider.js';
import type { IdSource as IdSourcePort } from '#application/ports/id-source.js';
import type { FileImporter as FileImporterPort } from '#application/ports/file-importer.js';
import type { ImportFolder as ImportFolderPort } from '#application/ports/import-folder.js';
import type { ImportLog as ImportLogPort } from '#application/ports/import-log.js';
import type { ImportService as ImportServicePort } from '#application/ports/import-service.js';
import type { Lease } from '#application/ports/lease.js';
import type { RecheckStore as RecheckStorePort } from '#application/ports/recheck-store.js';
import type { ObservationStore as ObservationStorePort } from '#application/ports/observation-store.js';
import type { OverrideStore as OverrideStorePort } from '#application/ports/override-store.js';
import type { NoticeFinder as NoticeFinderPort } from '#application/ports/notice-finder.js';
import type { PartChecker as PartCheckerPort } from '#application/ports/part-checker.js';
import type { PasswordHasher as PasswordHasherPort } from '#application/ports/password-hasher.js';
import type { Secrets as SecretsPort } from '#application/ports/secrets.js';
import type { SessionStore as SessionStorePort } from '#application/ports/session-store.js';
import type { SignInStore as SignInStorePort } from '#application/ports/sign-in-store.js';
import type { SettingStore as SettingStorePort } from '#application/ports/setting-store.js';
import type { SetupCode as SetupCodePort } from '#application/ports/setup-code.js';
import type { SigningKeys as SigningKeysPort } from '#application/ports/signing-keys.js';
import type { SourceKind } from '#application/ports/source-kind.js';
import type { TargetKind } from '#application/ports/target-kind.js';
import type { SourceNetwork as SourceNetworkPort } from '#application/ports/source-network.js';
import type { StatePublisher as StatePublisherPort } from '#application/ports/state-publisher.js';
import type { StationPicture as StationPicturePort } from '#application/ports/station-picture.js';
import type { StationSearch as StationSearchPort } from '#application/ports/station-search.js';
import type { StationStore as StationStorePort } from '#application/ports/station-store.js';
import type { DataSize as DataSizePort } from '#application/ports/stores.js';
import type { Telemetry as TelemetryPort } from '#application/ports/telemetry.js';
import type { TokenIssuer as TokenIssuerPort } from '#application/ports/token-issuer.js';
import type { TokenVerifier as TokenVerifierPort } from '#application/ports/token-verifier.js';
import type { TownSearch as TownSearchPort } from '#application/ports/town-search.js';
import type { UploadKeyStore as UploadKeyStorePort } from '#application/ports/upload-key-store.js';
import type { UploadListener as UploadListenerPort } from '#application/ports/upload-listening.js';
import type { RecordStore as RecordStorePort } from '#application/ports/record-store.js';
import type { TransferStore as TransferStorePort } from '#application/ports/transfer-store.js';
import type { Runnable as RunnablePart } from '../runnables.js';

// The identifiers by which the container finds the object for each port (an interface of the application). For a class of the
// application, the class itself is the identifier, so it is not listed here.

export const AlarmStore = Symbol('AlarmStore') as ServiceIdentifier<AlarmStorePort>;
export const Announcer = Symbol('Announcer') as ServiceIdentifier<AnnouncerPort>;
export const AuditStore = Symbol('AuditStore') as ServiceIdentifier<AuditStorePort>;
export const Calendar = Symbol('Calendar') as ServiceIdentifier<CalendarPort>;
/**
 * The background checks of the stores and of the threads. They run from the start of the service. The checks of a `Runnable` (a
 * part of the service that can be started) begin only when this part starts.
 */
export const Checks = Symbol('Checks') as ServiceIdentifier<readonly Check[]>;
export const Clock = Symbol('Clock') as ServiceIdentifier<ClockPort>;
export const CredentialStore = Symbol('CredentialStore') as ServiceIdentifier<CredentialStorePort>;
export const DataSize = Symbol('DataSize') as ServiceIdentifier<DataSizePort>;
export const DataVerifier = Symbol('DataVerifier') as ServiceIdentifier<DataVerifierPort>;
export const DailyAggregateStore = Symbol(
  'DailyAggregateStore',
) as ServiceIdentifier<DailyAggregateStorePort>;
export const Delivery = Symbol('Delivery') as ServiceIdentifier<DeliveryPort>;
export const IdSource = Symbol('IdSource') as ServiceIdentifier<IdSourcePort>;
export const FileImporter = Symbol('FileImporter') as ServiceIdentifier<FileImporterPort>;
export const ImportFolder = Symbol('ImportFolder') as ServiceIdentifier<ImportFolderPort>;
/** The imports over HTTP: in the main process `ImportJobs`, in a worker process the connection to it. */
export const ImportService = Symbol('ImportService') as ServiceIdentifier<ImportServicePort>;
export const ImportLog = Symbol('ImportLog') as ServiceIdentifier<ImportLogPort>;
export const RecheckStore = Symbol('RecheckStore') as ServiceIdentifier<RecheckStorePort>;
export const ObservationStore = Symbol('ObservationStore') as ServiceIdentifier<ObservationStorePort>;
export const OverrideStore = Symbol('OverrideStore') as ServiceIdentifier<OverrideStorePort>;
export const NoticeFinder = Symbol('NoticeFinder') as ServiceIdentifier<NoticeFinderPort>;
export const PartChecker = Symbol('PartChecker') as ServiceIdentifier<PartCheckerPort>;
export const PasswordHasher = Symbol('PasswordHasher') as ServiceIdentifier<PasswordHasherPort>;
export const Secrets = Symbol('Secrets') as ServiceIdentifier<SecretsPort>;
export const SessionStore = Symbol('SessionStore') as ServiceIdentifier<SessionStorePort>;
export const SignInStore = Symbol('SignInStore') as ServiceIdentifier<SignInStorePort>;
export const SettingStore = Symbol('SettingStore') as ServiceIdentifier<SettingStorePort>;
export const SetupCode = Symbol('SetupCode') as ServiceIdentifier<SetupCodePort>;
export const SigningKeys = Symbol('SigningKeys') as ServiceIdentifier<SigningKeysPort>;
export const StationSearch = Symbol('StationSearch') as ServiceIdentifier<StationSearchPort>;
export const StationStore = Symbol('StationStore') as ServiceIdentifier<StationStorePort>;
/** Reports the metrics of this process, which `Telemetry` records. */
export const Metrics = Symbol('Metrics') as ServiceIdentifier<Registry>;
/** Reports the metrics of all processes of the service. */
export const ServiceMetrics = Symbol('ServiceMetrics') as ServiceIdentifier<Pick<Registry, 'collect'>>;
/** The background checks of the stores. */
export const StoreChecks = Symbol('StoreChecks') as ServiceIdentifier<readonly Check[]>;
export const Telemetry = Symbol('Telemetry') as ServiceIdentifier<TelemetryPort>;
export const TokenIssuer = Symbol('TokenIssuer') as ServiceIdentifier<TokenIssuerPort>;
export const TokenVerifier = Symbol('TokenVerifier') as ServiceIdentifier<TokenVerifierPort>;
export const TownSearch = Symbol('TownSearch') as ServiceIdentifier<TownSearchPort>;
export const UploadKeyStore = Symbol('UploadKeyStore') as ServiceIdentifier<UploadKeyStorePort>;
export const RecordStore = Symbol('RecordStore') as ServiceIdentifier<RecordStorePort>;
export const TransferStore = Symbol('TransferStore') as ServiceIdentifier<TransferStorePort>;
export const DemoRecording = Symbol('DemoRecording') as ServiceIdentifier<DemoRecordingPort>;
export const ImportFormatList = Symbol('ImportFormatList') as ServiceIdentifier<readonly ImportFormat[]>;
export const SourceKindList = Symbol('SourceKindList') as ServiceIdentifier<readonly SourceKind[]>;
export const StationPicture = Symbol('StationPicture') as ServiceIdentifier<StationPicturePort>;
export const TargetKindList = Symbol('TargetKindList') as ServiceIdentifier<readonly TargetKind[]>;
export const ForecastProviderList = Symbol('ForecastProviderList') as ServiceIdentifier<
  readonly ForecastProvider[]
>;
export const ForecastSettings = Symbol('ForecastSettings') as ServiceIdentifier<ForecastSettingsValue>;
export const ForecastTimes = Symbol('ForecastTimes') as ServiceIdentifier<ForecastTimesValue>;
export const SourceNetwork = Symbol('SourceNetwork') as ServiceIdentifier<SourceNetworkPort>;
export const HookStore = Symbol('HookStore') as ServiceIdentifier<HookStorePort>;

/**
 * Creates the lease with a name. A lease is the right to do work that only one process at a time may do, for example to send the
 * messages of alarms.
 */
export type Leases = (name: string) => Lease;
export const Leases = Symbol('Leases') as ServiceIdentifier<Leases>;

// Only the running service binds the following identifiers.

export const Log = Symbol('Log') as ServiceIdentifier<LogAdapter>;
export const HookDispatcher = Symbol('HookDispatcher') as ServiceIdentifier<Dispatcher>;
export const AlarmDispatcher = Symbol('AlarmDispatcher') as ServiceIdentifier<Dispatcher>;
export const DemoLease = Symbol('DemoLease') as ServiceIdentifier<Lease>;
/** Writes a forecast as the fields that hooks send. */
export const ForecastFields = Symbol('ForecastFields') as ServiceIdentifier<ForecastFieldsValue>;
export const HookLease = Symbol('HookLease') as ServiceIdentifier<Lease>;
export const SourceLease = Symbol('SourceLease') as ServiceIdentifier<Lease>;
export const ForecastLease = Symbol('ForecastLease') as ServiceIdentifier<Lease>;
export const AlarmLease = Symbol('AlarmLease') as ServiceIdentifier<Pick<Lease, 'acquire' | 'release'>>;
export const PublisherLease = Symbol('PublisherLease') as ServiceIdentifier<Lease>;
export const StatePublisher = Symbol('StatePublisher') as ServiceIdentifier<StatePublisherPort>;
export const UploadListener = Symbol('UploadListener') as ServiceIdentifier<UploadListenerPort>;
/** Shows and changes the setting of uploads. In a worker process, the main process changes it. */
export const UploadsControl = Symbol('UploadsControl') as ServiceIdentifier<UploadsControlPort>;
/**
 * The identifier of all parts of the running service, for example of housekeeping. It has many bindings, one for each part. The
 * parts start in the order of their bindings.
 */
export const Runnable = Symbol('Runnable') as ServiceIdentifier<RunnablePart>;
