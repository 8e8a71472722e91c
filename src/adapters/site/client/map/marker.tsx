import { windBarb } from '../format/wind.js';

/** The data of a station on the map. Texts are in the language and the units of the visitor. */
export interface MapStation {
  readonly id: string;
  readonly name: string;
  readonly latitude: number;
  readonly longitude: number;
  /** Temperature in °C. Temperature and color are undefined if no value may be shown. */
  readonly temperature: number | undefined;
  readonly color: string | undefined;
  /** The temperature as text: `12.4°`, or `–` if no value may be shown. */
  readonly value: string;
  /** Speed in m/s and direction in degrees; undefined if one of these values may not be shown. */
  readonly wind: { readonly speed: number; readonly direction: number } | undefined;
  readonly isStale: boolean;
  /** The wind as text: speed with unit, and name of the sector; empty without a speed. */
  readonly windText: string;
}

export function StationMarker({
  station: { color, value, wind, windText, name, isStale },
}: {
  readonly station: MapStation;
}) {
  const barb = wind && windBarb(wind.speed);
  return (
    <span class={isStale ? 'pin silent' : 'pin'}>
      <span class="pill">
        <svg viewBox="-24 -24 48 48" width="48" height="48">
          {barb !== undefined && (
            <path class="barb" d={barb} transform={`rotate(${Math.round(wind?.direction ?? 0)})`} />
          )}
          <circle r="6" fill={color ?? 'none'} />
        </svg>
        {value}
      </span>
      <span class="name">{name}</span> <span class="hidden">{windText}</span>
    </span>
  );
}

/** Marker of several stations: their number, and the colors of the coldest and the warmest station. */
export function ClusterMarker({
  count,
  text,
  colors,
}: {
  readonly count: number;
  /** Text after the number, for screen readers. */
  readonly text: string;
  readonly colors: readonly string[];
}) {
  const [coldest = 'none', warmest = coldest] = [colors[0], colors.at(-1)];
  return (
    <span class="pin cluster">
      <svg viewBox="-20 -20 40 40" width="40" height="40">
        <path d="M0-16A16 16 0 0 0 0 16" stroke={coldest} />
        <path d="M0-16A16 16 0 0 1 0 16" stroke={warmest} />
      </svg>
      <span class="count">{count}</span> <span class="hidden">{text}</span>
    </span>
  );
}
