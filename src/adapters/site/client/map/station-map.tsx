import * as L from 'leaflet';
import { type ComponentChildren, render } from 'preact';
import {
  type Box,
  boxAround,
  isCovered,
  nearestLongitude,
  type Place,
  type Position,
  type RequestBox,
  requestBox,
} from './fit.js';
import {
  type Area,
  coveredBy,
  type Group,
  groupSpots,
  type Label,
  placeLabels,
  placePopover,
  rangeOf,
} from './layout.js';
import type { Streets } from './streets.js';
import { Dot, GroupMark, type MapSpot, type MapStation, toSpot } from './marker.js';

export interface MapOptions {
  readonly host: HTMLElement;
  /** Whether the scale bar shows miles and feet. */
  readonly isImperial: boolean;
  readonly onSelect: (id: string) => void;
  /** Called when the visitor presses the map beside its stations. */
  readonly onClear: (at: Position) => void;
  /** Called after each movement of the map, and after each change of its stations. */
  readonly onMove: () => void;
  readonly readPlaces: (bbox: string) => Promise<readonly Place[]>;
  /** Called with the towns in the box of the map. */
  readonly onPlaces: (places: readonly Place[]) => void;
}

/** What the map shows. */
export interface MapContent {
  readonly stations: readonly MapStation[];
  readonly selected: string | undefined;
  /** Writes the smallest and the largest value of stations as one text. */
  readonly rangeText: (low: number, high: number) => string;
  /** The name of a group for screen readers. */
  readonly groupName: (count: number, range: string) => string;
}

const [MAX_ZOOM, MIN_ZOOM] = [14, 1];
/** Largest zoom where the map has streets. */
const STREETS_ZOOM = 18;
/** Largest zoom after fitting the map to stations: a town. The second number is for a single station: its surroundings. */
const [FIT_ZOOM, ONE_ZOOM] = [13, 11];
/** Widths of characters in px: of numbers, which are semibold, and of names of towns. */
const [DIGIT, LETTER] = [8.2, 7.4];
/** Width and height of the corner with the buttons, in px. */
const BUTTONS = [56, 230] as const;
/** The map names one town in this area in px², and at least this number of towns. */
const [TOWN_AREA, MIN_TOWNS] = [16_000, 8];
/** Towns with at least this many people have semibold names, at this zoom and nearer. */
const [LARGE_TOWN, REGION_ZOOM] = [100_000, 7];

/**
 * The map in the browser. It draws the land and the towns that the service sends for the shown box, and above them the streets of
 * the operator's map if there is one.
 */
export class StationMap {
  readonly #map: L.Map;
  readonly #options: MapOptions;
  /** Markers by the ids of their stations, or by the names of towns. */
  readonly #markers = new Map<string, L.Marker>();
  #content: MapContent | undefined;
  #spots: readonly MapSpot[] = [];
  #places: readonly Place[] = [];
  /** The longitude of the middle of all stations, to which all longitudes are near. */
  #center = 0;
  /** Whether the visitor has moved the map. Before, the map fits itself to new stations. */
  #isMoved = false;
  #fitted = 0;
  #request: RequestBox | undefined;
  #land: L.SVGOverlay | undefined;
  #streets: Streets | undefined;

  constructor(options: MapOptions) {
    this.#options = options;
    const { host } = options;
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.#map = L.map(host, {
      zoomControl: false,
      attributionControl: false,
      minZoom: MIN_ZOOM,
      maxZoom: MAX_ZOOM,
      zoomSnap: 0.5,
      zoomAnimation: !isStill,
      fadeAnimation: false,
      markerZoomAnimation: !isStill,
      inertia: !isStill,
    });
    const { isImperial } = options;
    this.#map.addControl(L.control.scale({ metric: !isImperial, imperial: isImperial }));
    this.#map.setView([20, 0], MIN_ZOOM);
    this.#map.on('moveend', () => {
      this.#draw();
      void this.#readSurroundings().catch(() => undefined);
    });
    this.#map.on('move', options.onMove);
    this.#map.on('click', ({ latlng }) => {
      const { lat: latitude, lng: longitude } = latlng.wrap();
      options.onClear({ latitude, longitude });
    });
    for (const event of ['pointerdown', 'wheel', 'keydown'])
      host.addEventListener(event, () => (this.#isMoved = true), { passive: true });
  }

  show(content: MapContent): void {
    const { stations, selected } = content;
    const before = this.#content;
    const wasShown =
      selected === before?.selected && before?.stations.some(({ id }) => id === selected) === true;
    this.#content = content;
    if (!this.#isMoved && stations.length > this.#fitted) this.fit();
    const station = stations.find(({ id }) => id === selected);
    if (!wasShown && station !== undefined && !this.#map.getBounds().contains(this.#at(station)))
      this.#map.panTo(this.#at(station));
    this.#draw();
    // Without stations the map has not moved yet.
    if (this.#request === undefined) void this.#readSurroundings().catch(() => undefined);
  }

  /** Shows streets instead of the former ones. */
  setStreets(streets: Streets): void {
    this.#streets?.layer.remove();
    this.#streets = streets;
    streets.layer.addTo(this.#map);
    this.#map.setMaxZoom(STREETS_ZOOM);
    this.#draw();
  }

  /** Moves the map so that all live stations are visible; all stations if none is live. */
  fit(): void {
    const { stations = [] } = this.#content ?? {};
    const live = stations.filter(({ isLive }) => isLive);
    const box = boxAround(live.length > 0 ? live : stations);
    if (box === undefined) return;
    this.#fitted = stations.length;
    this.#center = (box.west + box.east) / 2;
    const isPoint = box.north - box.south + box.east - box.west < 0.001;
    const padding = Math.min(64, this.#map.getSize().x / 6);
    this.#map.fitBounds(
      [
        [box.south, box.west],
        [box.north, box.east],
      ],
      { padding: [padding, padding], maxZoom: isPoint ? ONE_ZOOM : FIT_ZOOM },
    );
    this.#map.setMaxBounds(L.latLngBounds([-85, this.#center - 270], [85, this.#center + 270]));
  }

  zoom(levels: number): void {
    this.#isMoved = true;
    this.#map.setZoom(this.#map.getZoom() + levels);
  }

  /** Moves the map. @param right distance in thirds of the width @param down distance in thirds of the height */
  pan(right: number, down: number): void {
    this.#isMoved = true;
    const { x, y } = this.#map.getSize();
    this.#map.panBy([(right * x) / 3, (down * y) / 3]);
  }

  /** Tells the map that its size has changed. */
  resize(): void {
    this.#map.invalidateSize();
  }

  /** Returns the position in px of a popover of this size beside a station; undefined if the station is not in view. */
  popoverAt(id: string, size: readonly [number, number]): readonly [left: number, top: number] | undefined {
    const station = this.#content?.stations.find((shown) => shown.id === id);
    if (station === undefined) return undefined;
    const at = this.#map.latLngToContainerPoint(this.#at(station));
    const view = this.#view();
    if (at.x < 0 || at.y < 0 || at.x > view.right || at.y > view.bottom) return undefined;
    const dots = this.#spots.filter((spot) => spot.id !== id && spot.station.isLive);
    return placePopover(at, size, dots, view);
  }

  remove(): void {
    for (const marker of this.#markers.values()) this.#removeMarker(marker);
    this.#map.remove();
  }

  #at({ latitude, longitude }: Position): L.LatLngTuple {
    return [latitude, nearestLongitude(longitude, this.#center)];
  }

  #view(): Area {
    const { x, y } = this.#map.getSize();
    return { left: 0, top: 0, right: x, bottom: y };
  }

  /** Reads the land and the towns of the shown box, unless a former reply covers the box. */
  async #readSurroundings(): Promise<void> {
    if (this.#content === undefined) return;
    const bounds = this.#map.getBounds();
    const view: Box = {
      west: bounds.getWest(),
      south: Math.max(bounds.getSouth(), -90),
      east: bounds.getEast(),
      north: Math.min(bounds.getNorth(), 90),
    };
    if (this.#request !== undefined && isCovered(view, this.#request)) return;
    const request = requestBox(view);
    this.#request = request;
    const places = this.#options.readPlaces(request.bbox).catch(() => []);
    const reply = await fetch(`/map/coast?bbox=${request.bbox}`);
    if (!reply.ok) throw new Error(`The land could not be read: ${reply.status}`);
    const { rings } = (await reply.json()) as { readonly rings: readonly (readonly number[])[] };
    const found = await places;
    if (this.#request !== request || !this.#options.host.isConnected) return;
    const layer = this.#drawLand(rings, request);
    layer.addTo(this.#map);
    this.#land?.remove();
    this.#land = layer;
    this.#places = found;
    this.#options.onPlaces(found);
    this.#draw();
  }

  /** Draws land as a picture, which Leaflet moves and scales with the map until the map needs more detail. */
  #drawLand(rings: readonly (readonly number[])[], { box, shift, isWorld }: RequestBox): L.SVGOverlay {
    // One more level has half the rounding errors.
    const zoom = this.#map.getZoom() + 1;
    const bounds = L.latLngBounds([Math.max(box.south, -85), box.west], [Math.min(box.north, 85), box.east]);
    const corner = this.#map.project(bounds.getNorthWest(), zoom);
    const size = this.#map.project(bounds.getSouthEast(), zoom).subtract(corner);
    const path = rings.map((ring) => {
      const points: string[] = [];
      for (let at = 0; at < ring.length; at += 2) {
        const point = this.#map.project([ring[at + 1] ?? 0, (ring[at] ?? 0) + shift], zoom).subtract(corner);
        points.push(`${Math.round(point.x * 10) / 10} ${Math.round(point.y * 10) / 10}`);
      }
      return `M${points.join('L')}Z`;
    });
    const picture = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    picture.setAttribute('viewBox', `0 0 ${size.x} ${size.y}`);
    picture.setAttribute('preserveAspectRatio', 'none');
    // A view that is wider than the world repeats it.
    const repeats = isWorld ? [-size.x, 0, size.x] : [0];
    const d = path.join('');
    render(
      repeats.map((repeat) => (
        <path key={repeat} d={d} transform={`translate(${repeat})`} fill-rule="evenodd" />
      )),
      picture,
    );
    return L.svgOverlay(picture, bounds, { className: 'land' });
  }

  #draw(): void {
    if (this.#content === undefined) return;
    const { stations, selected, rangeText } = this.#content;
    const view = this.#view();
    const spots = stations
      .map((station) => toSpot(station, this.#map.latLngToContainerPoint(this.#at(station))))
      .filter(
        ({ x, y }) =>
          x > -view.right / 4 && x < view.right * 1.25 && y > -view.bottom / 4 && y < view.bottom * 1.25,
      )
      .toSorted((a, b) => Number(b.station.isLive) - Number(a.station.isLive));
    this.#spots = spots;
    const groups = groupSpots(spots);
    const buttons = { ...view, left: view.right - BUTTONS[0], bottom: BUTTONS[1] };
    const covered = groups.flatMap((group) => {
      const { items, x, y } = group;
      return hasOneMark(group)
        ? { left: x - 14, top: y - 14, right: x + 14, bottom: y + 14 }
        : coveredBy(items);
    });
    covered.push(buttons);
    const texts = new Map(
      groups.map((group) => {
        const range = rangeOf(group.items);
        return [keyOf(group), range === undefined ? '' : rangeText(...range)];
      }),
    );
    const labels = groups
      .filter((group) => texts.get(keyOf(group)) !== '')
      .toSorted((a, b) => Number(isIn(b, selected)) - Number(isIn(a, selected)))
      .map((group) => toLabel(group, texts.get(keyOf(group)) ?? ''));
    const placed = placeLabels(labels, covered, view);
    const drawn = new Set<string>();
    for (const group of groups) {
      const text = texts.get(keyOf(group)) ?? '';
      const at = placed.get(keyOf(group));
      const label = at && <LabelText text={text} at={at} />;
      for (const [key, node] of this.#marks(group, label)) {
        drawn.add(key);
        this.#drawGroup(key, group, text, node);
      }
      // The label of a pair stands between them, and is no part of the button of one of them.
      if (label !== undefined && group.isPair) this.#drawText(`label ${keyOf(group)}`, group, label, drawn);
    }
    this.#drawPlaces(covered, view, drawn);
    for (const [key, marker] of this.#markers)
      if (!drawn.has(key)) {
        this.#removeMarker(marker);
        this.#markers.delete(key);
      }
    this.#options.onMove();
  }

  /** The marks of a group with their keys: one for each station of a pair, and one for any other group. */
  #marks(group: Group<MapSpot>, label: ComponentChildren): readonly (readonly [string, ComponentChildren])[] {
    const { items } = group;
    const selected = this.#content?.selected;
    if (hasOneMark(group)) {
      const colored = items
        .filter(({ station }) => station.color !== undefined)
        .toSorted((a, b) => Number(a.value) - Number(b.value));
      const [low, high] = [colored[0]?.station.color, colored.at(-1)?.station.color];
      const colors = low === undefined || high === undefined ? ([] as const) : ([low, high] as const);
      const mark = <GroupMark colors={colors} isSelected={isIn(group, selected)} />;
      return [[keyOf(group), [mark, label]]];
    }
    return items.map((spot) => [
      spot.id,
      [<Dot spot={spot} isSelected={spot.id === selected} />, items.length === 1 && label],
    ]);
  }

  /** Draws a marker. An existing marker keeps its element, so that the element keeps the focus. */
  #drawGroup(key: string, group: Group<MapSpot>, text: string, node: ComponentChildren): void {
    const own = group.items.find(({ id }) => id === key);
    const at = own ?? group;
    const marker = this.#marker(key, this.#map.containerPointToLatLng([at.x, at.y]), true);
    const activate = (): void => {
      if (own !== undefined) this.#options.onSelect(own.id);
      else this.#open(group);
    };
    marker.off('click keypress').on('click', activate);
    marker.on('keypress', ({ originalEvent }: L.LeafletKeyboardEvent) => {
      if (originalEvent.key !== 'Enter' && originalEvent.key !== ' ') return;
      originalEvent.preventDefault();
      activate();
    });
    const element = marker.getElement();
    const selected = this.#content?.selected;
    const isSelected = own === undefined ? isIn(group, selected) : own.id === selected;
    marker.setZIndexOffset(isSelected ? 1000 : 0);
    element?.classList.toggle('selected', isSelected);
    element?.classList.toggle('silent', own !== undefined && !own.station.isLive);
    const name =
      own === undefined
        ? (this.#content?.groupName(group.items.length, text) ?? '')
        : `${own.station.name} ${own.value === undefined ? '' : (this.#content?.rangeText(own.value, own.value) ?? '')}`;
    element?.setAttribute('aria-label', name.trim());
    if (own !== undefined) element?.setAttribute('aria-pressed', String(isSelected));
    this.#render(marker, node);
  }

  /** Draws the names of towns, the largest first, where they cover nothing. A map of streets has names itself. */
  #drawPlaces(covered: Area[], view: Area, drawn: Set<string>): void {
    const zoom = this.#map.getZoom();
    const named = this.#places.filter((place) => this.#streets?.covers(place, zoom) !== true);
    const spots = named.map((place) => {
      const { x, y } = this.#map.latLngToContainerPoint(this.#at(place));
      return { place, key: `town ${place.name} ${place.latitude}`, x, y };
    });
    const labels = spots.map(({ place, key, x, y }): Label => {
      return { key, x, y, width: place.name.length * LETTER + 8, reach: [0, 0] };
    });
    const placed = placeLabels(labels, covered, view);
    let left = Math.max(MIN_TOWNS, Math.round((view.right * view.bottom) / TOWN_AREA));
    for (const { place, key, x, y } of spots) {
      const at = placed.get(key);
      if (at === undefined || left === 0) continue;
      left -= 1;
      const isLarge = place.population >= LARGE_TOWN && zoom >= REGION_ZOOM;
      const kind = isLarge ? 'town large' : 'town';
      const name = (
        <text class={kind} x={at[0]} y={at[1] + 5} text-anchor="middle">
          {place.name}
        </text>
      );
      this.#drawText(key, { x, y }, name, drawn);
    }
  }

  /** Draws a text that is no button. */
  #drawText(
    key: string,
    { x, y }: { readonly x: number; readonly y: number },
    node: ComponentChildren,
    drawn: Set<string>,
  ): void {
    drawn.add(key);
    this.#render(this.#marker(key, this.#map.containerPointToLatLng([x, y]), false), node);
  }

  #marker(key: string, position: L.LatLng, interactive: boolean): L.Marker {
    const known = this.#markers.get(key);
    if (known !== undefined) return known.setLatLng(position);
    const html = document.createElement('span');
    const icon = L.divIcon({ html, className: interactive ? 'marker' : 'town-marker', iconSize: undefined });
    const marker = L.marker(position, { icon, interactive, keyboard: interactive });
    marker.addTo(this.#map);
    if (!interactive) marker.setZIndexOffset(-10_000);
    this.#markers.set(key, marker);
    return marker;
  }

  #render(marker: L.Marker, node: ComponentChildren): void {
    const html = hostOf(marker);
    if (html !== undefined)
      render(
        <svg viewBox="-16 -16 32 32" width="32" height="32" aria-hidden="true">
          {node}
        </svg>,
        html,
      );
  }

  /** Zooms in on the stations of a group. At the nearest zoom, selects the next station of the group instead. */
  #open({ items }: Group<MapSpot>): void {
    const zoom = this.#map.getZoom();
    const maxZoom = this.#map.getMaxZoom();
    if (zoom >= maxZoom) {
      const next = items.findIndex(({ id }) => id === this.#content?.selected) + 1;
      this.#options.onSelect(items[next % items.length]?.id ?? '');
      return;
    }
    this.#isMoved = true;
    const bounds = L.latLngBounds(items.map(({ station }) => this.#at(station)));
    const padded = this.#map.getBoundsZoom(bounds, false, L.point(64, 64));
    this.#map.setView(bounds.getCenter(), Math.max(Math.min(padded, maxZoom), Math.min(zoom + 2, maxZoom)));
    this.#options.host.focus({ preventScroll: true });
  }

  /** Removes a marker and its content. */
  #removeMarker(marker: L.Marker): void {
    const html = hostOf(marker);
    if (html !== undefined) render(null, html);
    marker.remove();
  }
}

function LabelText({ text, at }: { readonly text: string; readonly at: readonly [number, number] }) {
  return (
    <text class="label" x={at[0]} y={at[1] + 5} text-anchor="middle">
      {text}
    </text>
  );
}

function toLabel(group: Group<MapSpot>, text: string): Label {
  const { items, isPair, x, y } = group;
  const [first] = items;
  const apart = isPair && first !== undefined ? [Math.abs(first.x - x), Math.abs(first.y - y)] : [0, 0];
  const radius = hasOneMark(group) ? 12 : 8;
  return {
    key: keyOf(group),
    x,
    y,
    width: text.length * DIGIT,
    reach: [(apart[0] ?? 0) + radius + 1, (apart[1] ?? 0) + radius + 2],
  };
}

/** Whether a group of several stations has one mark for all of them. */
const hasOneMark = ({ items, isPair }: Group<MapSpot>) => items.length > 1 && !isPair;
const keyOf = ({ items }: Group<MapSpot>) => items.map(({ id }) => id).join();
const isIn = ({ items }: Group<MapSpot>, id: string | undefined) => items.some((item) => item.id === id);

/** The element that contains the content of a marker. */
function hostOf(marker: L.Marker): HTMLElement | undefined {
  const options: L.DivIconOptions | undefined = marker.options.icon?.options;
  const html = options?.html;
  return html instanceof HTMLElement ? html : undefined;
}
