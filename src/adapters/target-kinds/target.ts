/** What a package needs to add a kind of target; the package `weatherd` exports it as `weatherd/target` (docs/targets.md). */
export type {
  LineConnection,
  PersonalMessage,
  SentRain,
  SentSums,
  SentWeather,
  TargetExchange,
  TargetKind,
  TargetReply,
  TargetRequest,
  TargetSettings,
  WeatherTarget,
} from '#application/ports/target-kind.js';
export { TargetFailure } from '#domain/hooks/target-failure.js';
