/** What a package needs to add a kind of source; the package `weatherd` exports it as `weatherd/source` (docs/sources.md). */
export type {
  Answer,
  DatagramProtocol,
  FoundDevice,
  SensorState,
  SettingName,
  SourceDevice,
  SourceKind,
  SourceReply,
  SourceReport,
  SourceRequest,
  SourceSearch,
  SourceSettings,
  Span,
} from '#application/ports/source-kind.js';
export { SourceFailure } from '#domain/sources/source-failure.js';
export type { RainCounter, Reading, UploadField } from '#domain/uploads/upload.js';
