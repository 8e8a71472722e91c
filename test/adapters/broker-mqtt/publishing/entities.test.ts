import { expect } from 'chai';
import { ENTITIES, FORECAST_ENTITIES } from '#adapters/broker-mqtt/publishing/entities.js';
import {
  allQuantities,
  isPublished,
  quantitiesOf,
  TOTALS,
} from '#application/publishing/published-quantities.js';
import { FORECAST_QUANTITIES } from '#application/publishing/published-forecasts.js';
import { FORECAST_VARIABLES } from '#domain/forecast/forecast-variables.js';
import { conversionOf } from '#domain/weather/units.js';
import { VARIABLES } from '#domain/weather/variables.js';

/**
 * What Home Assistant accepts of a sensor: for each device class the units (`DEVICE_CLASS_UNITS`) and the state classes
 * (`DEVICE_CLASS_STATE_CLASSES`). A sensor with another unit is refused. Only the units that this service stores or may convert to are
 * listed. Source: homeassistant/components/sensor/const.py of Home Assistant 2025.
 */
const ACCEPTED: Readonly<
  Record<string, { readonly units: readonly unknown[]; readonly states: readonly string[] }>
> = {
  temperature: { units: ['°C', '°F', 'K'], states: ['measurement'] },
  humidity: { units: ['%'], states: ['measurement'] },
  moisture: { units: ['%'], states: ['measurement'] },
  atmospheric_pressure: { units: ['hPa', 'Pa', 'kPa', 'mbar', 'inHg', 'mmHg'], states: ['measurement'] },
  wind_speed: { units: ['m/s', 'km/h', 'mph', 'kn', 'ft/s', 'Beaufort'], states: ['measurement'] },
  wind_direction: { units: ['°'], states: ['measurement_angle'] },
  precipitation: {
    units: ['mm', 'cm', 'in'],
    states: ['measurement', 'total', 'total_increasing', 'measurement_angle'],
  },
  precipitation_intensity: {
    units: ['mm/h', 'mm/d', 'in/h', 'in/d'],
    states: ['measurement'],
  },
  irradiance: { units: ['W/m²', 'BTU/(h⋅ft²)'], states: ['measurement'] },
  distance: {
    units: ['m', 'cm', 'mm', 'km', 'in', 'ft', 'yd', 'mi', 'nmi'],
    states: ['measurement', 'total', 'total_increasing', 'measurement_angle'],
  },
  duration: {
    units: ['d', 'h', 'min', 's', 'ms', 'μs'],
    states: ['measurement', 'total', 'total_increasing', 'measurement_angle'],
  },
  // Since 2025 the unit has the Greek letter (U+03BC). The sign U+00B5, which older versions have, is converted to it.
  pm1: { units: ['µg/m³'], states: ['measurement'] },
  pm25: { units: ['µg/m³'], states: ['measurement'] },
  pm10: { units: ['µg/m³'], states: ['measurement'] },
  carbon_dioxide: { units: ['ppm'], states: ['measurement'] },
  aqi: { units: [undefined], states: ['measurement'] },
};

/** The quantities for which Home Assistant has no device class. */
const WITHOUT_CLASS = ['ultraviolet_index', 'cloud_area_fraction', 'leaf_wetness', 'lightning_strikes_today'];

/** Names of units in Home Assistant that differ from the names of this service. */
const SAME_UNIT: Readonly<Record<string, string>> = { degree: '°' };

describe('the entities of Home Assistant', () => {
  it('are defined for every quantity that can be published, and for no other', () => {
    expect(Object.keys(ENTITIES)).to.have.members(allQuantities().map(({ name }) => name));
  });

  it('leave no variable out, except values of whole days and marks', () => {
    for (const variable of VARIABLES) {
      const { number, name, period, mark, aggregation } = variable;
      expect(isPublished(variable), name).to.equal(period !== 'day' && mark === undefined);
      if (!isPublished(variable)) continue;
      const [quantity] = quantitiesOf(new Set([number]));
      expect(quantity?.name, name).to.equal(aggregation === 'sum' ? TOTALS[name] : name);
      expect(ENTITIES[quantity?.name ?? ''], name).to.be.an('object');
    }
  });

  for (const { name, unit: stored } of allQuantities())
    it(`are accepted: ${name}`, () => {
      const { deviceClass, unit, scale, stateClass = 'measurement' } = ENTITIES[name] ?? { name: '' };
      if (deviceClass === undefined) {
        expect(WITHOUT_CLASS).to.include(name);
        expect(['measurement', 'total_increasing']).to.include(stateClass);
      } else {
        expect(ACCEPTED[deviceClass]?.units).to.include(unit);
        expect(ACCEPTED[deviceClass]?.states).to.include(stateClass);
      }
      const isFraction = stored === '1' && unit === '%';
      const factor = isFraction ? 100 : (conversionOf(stored, unit ?? stored)?.factor ?? 1);
      expect(scale ?? 1).to.equal(factor);
      if (scale === undefined && stored !== '1') expect(unit).to.equal(SAME_UNIT[stored] ?? stored);
      expect(stateClass === 'total_increasing').to.equal(Object.values(TOTALS).includes(name));
    });

  it('are defined for every value of a forecast, and accepted without a state class', () => {
    expect(Object.keys(FORECAST_ENTITIES)).to.deep.equal(FORECAST_QUANTITIES);
    const unitOf = (variable: string) => FORECAST_VARIABLES.find(({ name }) => name === variable)?.unit;
    for (const [name, entity] of Object.entries(FORECAST_ENTITIES)) {
      const isChance = name.includes('rain_chance');
      expect(entity.deviceClass, name).to.equal(isChance ? undefined : 'temperature');
      expect(entity.unit, name).to.equal(
        unitOf(isChance ? 'probability_of_precipitation' : 'air_temperature'),
      );
      if (entity.deviceClass !== undefined)
        expect(ACCEPTED[entity.deviceClass]?.units).to.include(entity.unit);
      expect(entity).to.not.have.any.keys('stateClass', 'scale');
    }
  });

  it('have different names on each station', () => {
    const alternatives = new Set(['dew_point', 'sea_level_pressure']);
    const names = Object.entries({ ...ENTITIES, ...FORECAST_ENTITIES }).flatMap(([name, entity]) =>
      alternatives.has(name) ? [] : entity.name,
    );
    expect(new Set(names).size).to.equal(names.length);
  });
});
