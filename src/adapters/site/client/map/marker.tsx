import { windBarb } from '../format/wind.js';
import type { Spot } from './layout.js';
import type { DotColor } from './paint.js';

/** The data of a station on the map. Texts are in the language and the units of the visitor. */
export interface MapStation {
  readonly id: string;
  readonly name: string;
  readonly latitude: number;
  readonly longitude: number;
  /** The shown value in its metric unit; undefined if no value may be shown. */
  readonly value: number | undefined;
  readonly color: DotColor | undefined;
  /** Wind speed in m/s and direction in degrees. */
  readonly wind: { readonly speed: number; readonly direction: number } | undefined;
  readonly isLive: boolean;
}

/** A station with its position in px, and its attribute `d` of the barb. */
export interface MapSpot extends Spot {
  readonly station: MapStation;
  readonly barbPath: string | undefined;
}

export function toSpot(station: MapStation, { x, y }: { readonly x: number; readonly y: number }): MapSpot {
  const path = station.wind && windBarb(station.wind.speed);
  return {
    id: station.id,
    x,
    y,
    value: station.value,
    station,
    barbPath: path,
    barb: path === undefined ? undefined : station.wind?.direction,
  };
}

/** Radius of a dot, and of the ring around the selected dot. */
const [DOT, RING] = [8, 12];

/** The dot of a station with its wind barb, around (0, 0). */
export function Dot({ spot, isSelected }: { readonly spot: MapSpot; readonly isSelected: boolean }) {
  const { station, barb, barbPath } = spot;
  return (
    <>
      {barbPath !== undefined && (
        <path class="barb" d={barbPath} transform={`rotate(${Math.round(barb ?? 0)}) scale(1.5)`} />
      )}
      {isSelected && <circle class="ring" r={RING} />}
      <circle
        class={station.color === undefined ? 'dot none' : dotClass(station.color)}
        r={station.isLive ? DOT : DOT - 2}
        {...fillOf(station.color)}
      />
    </>
  );
}

/** The mark of a group of stations: two halves with the colors of the smallest and the largest value. */
export function GroupMark({
  colors: [low, high],
  isSelected,
}: {
  readonly colors: readonly [DotColor, DotColor] | readonly [];
  readonly isSelected: boolean;
}) {
  return (
    <>
      {isSelected && <circle class="ring" r={RING + 4} />}
      <circle class="around" r={RING} />
      {low === undefined || high === undefined ? (
        <circle class="dot none" r={DOT} />
      ) : (
        <>
          <path class={dotClass(low)} d="M0-8A8 8 0 0 0 0 8Z" {...fillOf(low)} />
          <path class={dotClass(high)} d="M0-8A8 8 0 0 1 0 8Z" {...fillOf(high)} />
        </>
      )}
    </>
  );
}

const dotClass = (color: DotColor) => ('step' in color ? `dot ${color.step}` : 'dot');
const fillOf = (color: DotColor | undefined) =>
  color !== undefined && 'fill' in color ? { fill: color.fill } : {};
