import * as L from 'leaflet';
import { FetchSource, PMTiles, type RangeResponse } from 'pmtiles';
import { leafletLayer } from 'protomaps-leaflet';
import { bearerToken } from '../session.js';
import type { Position } from './fit.js';

/** The streets of the operator's map, drawn in one theme. */
export interface Streets {
  readonly layer: L.Layer;
  /** Whether the map of streets has a position at a zoom. */
  readonly covers: (position: Position, zoom: number) => boolean;
}

/** The order of layers in the pane of the land, which Leaflet draws at 200. */
const ABOVE_LAND = 300;

/** Reads the ranges of the file of tiles with the token of the user. */
class TileSource extends FetchSource {
  override getBytes(
    offset: number,
    length: number,
    signal?: AbortSignal,
    etag?: string,
  ): Promise<RangeResponse> {
    const token = bearerToken();
    this.setHeaders(new Headers(token === undefined ? {} : { authorization: `Bearer ${token}` }));
    return super.getBytes(offset, length, signal, etag);
  }
}

/** The file, of which the browser keeps the directories that it has read. */
let tiles: PMTiles | undefined;

/** Reads the header of the file of tiles, and makes the layer of Leaflet that draws the tiles. */
export async function openStreets(flavor: 'light' | 'dark', language: string): Promise<Streets> {
  // protomaps-leaflet finds Leaflet in the global variable `L`.
  Object.assign(globalThis, { L: { GridLayer: L.GridLayer, DomUtil: L.DomUtil } });
  tiles ??= new PMTiles(new TileSource('/map/tiles.pmtiles'));
  const { minZoom, maxZoom, minLat, minLon, maxLat, maxLon } = await tiles.getHeader();
  const bounds = L.latLngBounds([minLat, minLon], [maxLat, maxLon]);
  // Each picture of 256 pixels shows a quarter of a tile.
  const lowest = minZoom + 1;
  const layer = leafletLayer({
    url: tiles,
    flavor,
    lang: language,
    maxDataZoom: maxZoom,
    minZoom: lowest,
    bounds,
    pane: 'overlayPane',
    zIndex: ABOVE_LAND,
    attribution: '',
  });
  // Where the file has no tile, the land below is visible.
  layer.backgroundColor = undefined;
  return {
    // The package declares Leaflet as `any`, so its layer has no declared base class.
    layer: layer as unknown as L.Layer,
    covers: ({ latitude, longitude }, zoom) => zoom >= lowest && bounds.contains([latitude, longitude]),
  };
}
