import * as L from 'leaflet';
import { render } from 'preact';
import { clusterStations } from './clusters.js';
import { ClusterMarker, type MapStation, StationMarker } from './marker.js';

export interface MapOptions {
  readonly host: HTMLElement;
  /** URL of the GeoJSON of the coastline. */
  readonly coastline: string;
  readonly texts: { readonly attribution: string; readonly cluster: string };
  readonly onSelect: (id: string) => void;
}

const [MAX_ZOOM, MIN_ZOOM] = [12, 1];
/** Bounds of the map. The map shows the world only once, so that each station has one position. */
const WORLD = L.latLngBounds([-85, -200], [85, 200]);
/**
 * Markers are drawn up to this distance outside of the map, as a share of the size of the map. Short movements of the map then
 * show no gaps.
 */
const MARGIN = 0.25;

/** The map in the browser. The map has no tiles: it draws only the coastline, which is a file of the service. */
export class StationMap {
  readonly #map: L.Map;
  readonly #options: MapOptions;
  /** Markers by the ids of their stations, separated by commas. */
  readonly #markers = new Map<string, L.Marker>();
  #stations: readonly MapStation[] = [];
  #selected: string | undefined;
  #hasView = false;

  constructor(options: MapOptions) {
    this.#options = options;
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.#map = L.map(options.host, {
      zoomControl: false,
      attributionControl: false,
      maxBounds: WORLD,
      minZoom: MIN_ZOOM,
      maxZoom: MAX_ZOOM,
      zoomSnap: 0.5,
      zoomAnimation: !isStill,
      fadeAnimation: !isStill,
      markerZoomAnimation: !isStill,
      inertia: !isStill,
    });
    this.#map.addControl(L.control.attribution({ prefix: false }).addAttribution(options.texts.attribution));
    this.#map.addControl(L.control.scale());
    this.#map.setView([20, 0], 2);
    this.#map.on('moveend', () => this.#draw());
    void this.#drawCoastline();
  }

  show(stations: readonly MapStation[], selected: string | undefined): void {
    const isMoved = selected !== this.#selected && selected !== undefined;
    [this.#stations, this.#selected] = [stations, selected];
    if (!this.#hasView && stations.length > 0) this.showAll();
    const station = stations.find(({ id }) => id === selected);
    if (isMoved && station !== undefined) {
      const position: L.LatLngExpression = [station.latitude, station.longitude];
      if (!this.#map.getBounds().contains(position)) this.#map.panTo(position);
    }
    this.#draw();
  }

  /** Zooms and moves the map so that all stations are visible. */
  showAll(): void {
    this.#hasView = true;
    const positions = this.#stations.map(({ latitude, longitude }): [number, number] => [
      latitude,
      longitude,
    ]);
    if (positions.length > 0)
      this.#map.fitBounds(L.latLngBounds(positions), { padding: [64, 64], maxZoom: 9 });
  }

  zoom(levels: number): void {
    this.#map.setZoom(this.#map.getZoom() + levels);
  }

  /** Moves the map. @param right distance in thirds of the width @param down distance in thirds of the height */
  pan(right: number, down: number): void {
    const { x, y } = this.#map.getSize();
    this.#map.panBy([(right * x) / 3, (down * y) / 3]);
  }

  remove(): void {
    for (const marker of this.#markers.values()) this.#removeMarker(marker);
    this.#map.remove();
  }

  async #drawCoastline(): Promise<void> {
    const reply = await fetch(this.#options.coastline);
    if (!reply.ok) return;
    const coast = (await reply.json()) as GeoJSON.MultiLineString;
    const { host } = this.#options;
    const lines = coast.coordinates.map((line) =>
      line.map(([longitude = 0, latitude = 0]): L.LatLngTuple => [latitude, longitude]),
    );
    // A canvas draws the 60,000 points of the coastline faster than SVG.
    const renderer = L.canvas({ padding: 0.5 });
    const layer = L.polyline(lines, { interactive: false, weight: 1, color: ink(), renderer });
    if (!host.isConnected) return;
    layer.addTo(this.#map);
    const repaint = () => layer.setStyle({ color: ink() });
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', repaint);
    this.#map.on('unload', () =>
      matchMedia('(prefers-color-scheme: dark)').removeEventListener('change', repaint),
    );

    function ink(): string {
      return getComputedStyle(host).getPropertyValue('color');
    }
  }

  #draw(): void {
    const map = this.#map;
    const zoom = map.getZoom();
    const bounds = map.getBounds().pad(MARGIN);
    const mapPoints = this.#stations.map((station) => {
      const { x, y } = map.project([station.latitude, station.longitude], zoom);
      return { id: station.id, x, y, station };
    });
    // At the nearest zoom level, stations at the same position are not combined, because the visitor cannot zoom further to
    // separate them.
    const clusters =
      zoom >= MAX_ZOOM
        ? mapPoints.map((item) => ({ items: [item], x: item.x, y: item.y }))
        : clusterStations(mapPoints);
    const drawnKeys = new Set<string>();
    for (const { items, x, y } of clusters) {
      const position = map.unproject([x, y], zoom);
      if (!bounds.contains(position)) continue;
      const key = items.map(({ id }) => id).join();
      drawnKeys.add(key);
      this.#drawMarker(
        key,
        position,
        items.map(({ station }) => station),
      );
    }
    for (const [key, marker] of this.#markers)
      if (!drawnKeys.has(key)) {
        this.#removeMarker(marker);
        this.#markers.delete(key);
      }
  }

  /** Draws a marker. An existing marker keeps its element, so that the element keeps the focus. */
  #drawMarker(key: string, position: L.LatLng, stations: readonly MapStation[]): void {
    const [first] = stations;
    if (first === undefined) return;
    let marker = this.#markers.get(key);
    if (marker === undefined) {
      const html = document.createElement('span');
      marker = L.marker(position, { icon: L.divIcon({ html, className: 'marker', iconSize: undefined }) });
      marker.addTo(this.#map);
      this.#markers.set(key, marker);
    }
    const isOne = stations.length === 1;
    const activate = (): void => {
      if (isOne) this.#options.onSelect(first.id);
      else this.#zoomToCluster(stations);
    };
    marker.off('click keypress').on('click', activate);
    marker.on('keypress', ({ originalEvent }: L.LeafletKeyboardEvent) => {
      if (originalEvent.key !== 'Enter' && originalEvent.key !== ' ') return;
      originalEvent.preventDefault();
      activate();
    });
    const element = marker.getElement();
    const isSelected = stations.some(({ id }) => id === this.#selected);
    marker.setZIndexOffset(isSelected ? 1000 : 0);
    element?.classList.toggle('selected', isSelected);
    if (isOne) element?.setAttribute('aria-pressed', String(isSelected));
    const colored = stations
      .filter(({ color }) => color !== undefined)
      .toSorted((a, b) => Number(a.temperature) - Number(b.temperature));
    const content = isOne ? (
      <StationMarker station={first} />
    ) : (
      <ClusterMarker
        text={this.#options.texts.cluster}
        count={stations.length}
        colors={colored.map(({ color }) => color ?? 'none')}
      />
    );
    const html = hostOf(marker);
    if (html !== undefined) render(content, html);
  }

  /** Zooms in on the stations of a cluster, by at least two levels if the map has so many. */
  #zoomToCluster(stations: readonly MapStation[]): void {
    const bounds = L.latLngBounds(stations.map(({ latitude, longitude }) => [latitude, longitude]));
    const nearer = Math.min(this.#map.getZoom() + 2, MAX_ZOOM);
    const zoom = Math.max(this.#map.getBoundsZoom(bounds, false, L.point(64, 64)), nearer);
    this.#map.setView(bounds.getCenter(), zoom);
    this.#options.host.focus({ preventScroll: true });
  }

  /** Removes a marker and its content. */
  #removeMarker(marker: L.Marker): void {
    const html = hostOf(marker);
    if (html !== undefined) render(null, html);
    marker.remove();
  }
}

/** The element that contains the content of a marker. */
function hostOf(marker: L.Marker): HTMLElement | undefined {
  const options: L.DivIconOptions | undefined = marker.options.icon?.options;
  const html = options?.html;
  return html instanceof HTMLElement ? html : undefined;
}
