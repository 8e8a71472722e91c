import type { AxisLimits } from './ticks.js';

/** The charts of a station, from top to bottom. */

/** Names of colors in `charts.css`. A quantity has the same color in every chart. */
export type Ink = 'temperature' | 'humidity' | 'rain' | 'wind' | 'ink' | 'sun' | 'muted';

export interface ChartLine {
  readonly variable: string;
  readonly ink: Ink;
  readonly shape: 'line' | 'dots' | 'bars';
}

export interface Quantity {
  readonly id: string;
  /** The kind `bars` shows amounts of intervals, such as rain. */
  readonly kind: 'line' | 'bars';
  readonly lines: readonly ChartLine[];
  /** Limits of the axis in metric units. */
  readonly limits: AxisLimits;
  /** Name of the variable whose directions are drawn as arrows. */
  readonly arrows?: string;
  /** Whether the sum since local midnight is shown at the cursor and in the table. */
  readonly hasDaySum?: true;
  /** Whether the usual range of the first line is drawn behind the chart. */
  readonly hasUsual?: true;
}

const quantityOf = (
  variable: string,
  ink: Ink,
  limits: AxisLimits,
  more: Partial<Quantity> = {},
): Quantity => ({
  id: variable,
  kind: 'line',
  lines: [{ variable, ink, shape: more.kind === 'bars' ? 'bars' : 'line' }],
  limits,
  ...more,
});

const QUANTITIES: readonly Quantity[] = [
  {
    id: 'temperature',
    kind: 'line',
    lines: [
      { variable: 'air_temperature', ink: 'temperature', shape: 'line' },
      { variable: 'dew_point_temperature', ink: 'humidity', shape: 'line' },
    ],
    limits: { minLength: 4 },
    hasUsual: true,
  },
  {
    id: 'wind',
    kind: 'line',
    lines: [
      { variable: 'wind_speed', ink: 'wind', shape: 'line' },
      { variable: 'wind_speed_of_gust', ink: 'wind', shape: 'dots' },
    ],
    limits: { floor: 0, minLength: 5 },
    arrows: 'wind_from_direction',
  },
  quantityOf('precipitation_amount', 'rain', { floor: 0, minLength: 1 }, { kind: 'bars', hasDaySum: true }),
  quantityOf('air_pressure_at_mean_sea_level', 'ink', { minLength: 4 }),
  quantityOf('surface_air_pressure', 'ink', { minLength: 4 }),
  quantityOf('relative_humidity', 'humidity', { floor: 0, ceiling: 100, minLength: 100 }),
  quantityOf('surface_downwelling_shortwave_flux_in_air', 'sun', { floor: 0, minLength: 100 }),
  quantityOf('ultraviolet_index', 'sun', { floor: 0, minLength: 4 }),
  quantityOf('duration_of_sunshine', 'sun', { floor: 0, minLength: 600 }, { kind: 'bars' }),
  quantityOf('rainfall_rate', 'rain', { floor: 0, minLength: 1 }),
  quantityOf('surface_snow_thickness', 'rain', { floor: 0, minLength: 0.1 }),
  quantityOf('cloud_area_fraction', 'muted', { floor: 0, ceiling: 100, minLength: 100 }),
  quantityOf('visibility_in_air', 'muted', { floor: 0, minLength: 1000 }),
  quantityOf('soil_temperature', 'temperature', { minLength: 4 }),
  {
    id: 'soil_moisture',
    kind: 'line',
    lines: [
      { variable: 'volume_fraction_of_condensed_water_in_soil', ink: 'rain', shape: 'line' },
      { variable: 'volume_fraction_of_condensed_water_in_soil_pores', ink: 'humidity', shape: 'line' },
    ],
    limits: { floor: 0, minLength: 0.1 },
  },
  quantityOf('leaf_wetness', 'humidity', { floor: 0, ceiling: 100, minLength: 100 }),
  {
    id: 'particles',
    kind: 'line',
    lines: [
      { variable: 'mass_concentration_of_pm10_ambient_aerosol_particles_in_air', ink: 'ink', shape: 'line' },
      {
        variable: 'mass_concentration_of_pm2p5_ambient_aerosol_particles_in_air',
        ink: 'temperature',
        shape: 'line',
      },
      {
        variable: 'mass_concentration_of_pm1_ambient_aerosol_particles_in_air',
        ink: 'muted',
        shape: 'line',
      },
    ],
    limits: { floor: 0, minLength: 10 },
  },
  quantityOf('mole_fraction_of_carbon_dioxide_in_air', 'ink', { minLength: 50 }),
  quantityOf('lightning_strike_count', 'sun', { floor: 0, minLength: 4 }, { kind: 'bars' }),
];

/** Variables that have no chart of their own, because the chart of the wind speed shows directions. */
const WITHOUT_CHART: ReadonlySet<string> = new Set(['wind_from_direction', 'wind_gust_from_direction']);

/** The charts of a station with these variables. A variable that is not in `QUANTITIES` gets its own chart. */
export function quantitiesOf(variables: readonly string[]): Quantity[] {
  const knownVariables = new Set(QUANTITIES.flatMap(({ lines }) => lines.map(({ variable }) => variable)));
  const otherVariables = variables.filter((name) => !knownVariables.has(name) && !WITHOUT_CHART.has(name));
  return [
    ...QUANTITIES,
    ...otherVariables.map((name) => quantityOf(name, 'ink', { minLength: 1e-6 })),
  ].flatMap((quantity) => {
    const { arrows, lines, ...rest } = quantity;
    const measured = lines.filter(({ variable }) => variables.includes(variable));
    if (measured.length === 0) return [];
    const hasArrows = arrows !== undefined && variables.includes(arrows);
    return [{ ...rest, lines: measured, ...(hasArrows && { arrows }) }];
  });
}

/** The color of a line of a chart. */
export function inkOf({ lines }: Quantity, variable: string): Ink {
  return lines.find((line) => line.variable === variable)?.ink ?? 'ink';
}
