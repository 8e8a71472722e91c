/**
 * The colors of the site for pictures without a style sheet, the same as in `style/site.css`. On pages, the same names are custom
 * properties.
 */
export const PALETTE = {
  light: {
    paper: '#f7f5f1',
    surface: '#ffffff',
    ink: '#1b1d22',
    muted: '#5a606a',
    line: '#ddd9d1',
    strong: '#777d87',
    night: '#dee3ec',
    dusk: '#f3ece6',
    day: '#ffffff',
    temperature: '#b3261e',
    humidity: '#0b746f',
    rain: '#1f62b5',
    wind: '#65559b',
    pressure: '#3a3f47',
    sun: '#8f6200',
    warning: '#8a4b00',
    usual: '#6b7078',
    forecast: '#b3261e21',
  },
  dark: {
    paper: '#121417',
    surface: '#1a1d22',
    ink: '#eceae4',
    muted: '#a0a6b0',
    line: '#31363e',
    strong: '#757c87',
    night: '#0a0c11',
    dusk: '#201d24',
    day: '#2b3038',
    temperature: '#ff8a78',
    humidity: '#4fc6bc',
    rain: '#74aeff',
    wind: '#b5a6ee',
    pressure: '#c9cdd3',
    sun: '#e0b040',
    warning: '#f0b060',
    usual: '#a6abb4',
    forecast: '#ff8a782e',
  },
} as const;

export type Color = keyof (typeof PALETTE)['light'];

/** A part of a picture that has its own color and line. */
export type Role = keyof typeof ROLES;

interface Style {
  readonly fill?: Color;
  readonly stroke?: Color;
  readonly width?: number;
  readonly dashes?: string;
  readonly opacity?: number;
  /** Opacity of the filling alone. */
  readonly filling?: number;
  readonly weight?: 600;
}

const ROLES = {
  night: { fill: 'night' },
  grid: { stroke: 'line', width: 1 },
  freezing: { stroke: 'strong', width: 1 },
  midnight: { stroke: 'strong', width: 1, opacity: 0.5 },
  usual: { fill: 'usual', opacity: 0.17 },
  median: { stroke: 'usual', width: 1, dashes: '2 4' },
  lastYear: { stroke: 'usual', width: 1 },
  temperature: { stroke: 'temperature', width: 2.5 },
  forecast: { stroke: 'temperature', width: 2, dashes: '5 4' },
  forecastBand: { fill: 'forecast' },
  forecastRain: { fill: 'rain', filling: 0.2, stroke: 'rain', width: 1 },
  forecastWind: { fill: 'wind', stroke: 'wind', width: 1.5, opacity: 0.75 },
  dot: { fill: 'temperature', stroke: 'surface', width: 1.5 },
  doubtful: { fill: 'surface', stroke: 'temperature', width: 1.5 },
  rain: { fill: 'rain' },
  rainText: { fill: 'rain' },
  wind: { fill: 'wind', stroke: 'wind', width: 1.5 },
  now: { stroke: 'ink', width: 1.5 },
  nowBox: { fill: 'ink' },
  nowText: { fill: 'paper', weight: 600 },
  label: { fill: 'ink', weight: 600 },
  text: { fill: 'muted' },
  sun: { stroke: 'sun', width: 1.5 },
  cursor: { stroke: 'ink', width: 1 },
  tooltip: { fill: 'surface', stroke: 'strong', width: 1 },
} as const satisfies Readonly<Record<string, Style>>;

/** The presentation attributes of a role. They are no inline style, so the Content-Security-Policy of pages allows them. */
export interface Attributes {
  readonly fill: string;
  readonly stroke?: string;
  readonly 'stroke-width'?: number;
  readonly 'stroke-dasharray'?: string;
  readonly opacity?: number;
  readonly 'fill-opacity'?: number;
  readonly 'font-weight'?: number;
}

/** Returns the attributes of a role, and the color of a name. */
export interface Paint {
  (role: Role): Attributes;
  readonly color: (name: Color) => string;
}

function paintWith(color: (name: Color) => string): Paint {
  const paint = (role: Role): Attributes => {
    const { fill, stroke, width, dashes, opacity, filling, weight }: Style = ROLES[role];
    return {
      fill: fill === undefined ? 'none' : color(fill),
      ...(stroke !== undefined && { stroke: color(stroke) }),
      ...(width !== undefined && { 'stroke-width': width }),
      ...(dashes !== undefined && { 'stroke-dasharray': dashes }),
      ...(opacity !== undefined && { opacity }),
      ...(filling !== undefined && { 'fill-opacity': filling }),
      ...(weight !== undefined && { 'font-weight': weight }),
    };
  };
  return Object.assign(paint, { color });
}

/** Paints with the custom properties of the page, so that a picture follows light and dark. */
export const pagePaint = paintWith((name) => `var(--${name})`);

/** Paints with fixed colors, for pictures outside of pages. */
export function fixedPaint(scheme: keyof typeof PALETTE): Paint {
  return paintWith((name) => PALETTE[scheme][name]);
}

/** Paints with thicker lines and longer dashes, for a picture with larger type. The grid stays thin. */
export function scaledPaint(paint: Paint, factor: number): Paint {
  return Object.assign(
    (role: Role): Attributes => {
      const attributes = paint(role);
      const { 'stroke-width': width, 'stroke-dasharray': dashes } = attributes;
      if (width === undefined || width <= 1) return attributes;
      const scaled = dashes?.replace(/\d+/g, (length) => String(Math.round(Number(length) * factor)));
      return {
        ...attributes,
        'stroke-width': width * factor,
        ...(scaled !== undefined && { 'stroke-dasharray': scaled }),
      };
    },
    { color: paint.color },
  );
}
