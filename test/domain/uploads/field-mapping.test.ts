import { expect } from 'chai';
import {
  acceptMappings,
  type FieldMapping,
  mappedReading,
  MAX_MAPPINGS,
} from '#domain/uploads/field-mapping.js';
import { VARIABLES } from '#domain/weather/variables.js';

const ONE: FieldMapping = { field: 'temp3f', variable: 'air_temperature' };

describe('mappings of fields', () => {
  it('are accepted where each field and each variable of a station occurs once', () => {
    const accepted: readonly (readonly FieldMapping[])[] = [
      [],
      [ONE],
      [{ ...ONE, unit: '°F', scale: -0.5, offset: 3 }],
      [ONE, { ...ONE, field: 'temp4f', station: 'B' }],
      [ONE, { field: 'humidity3', variable: 'relative_humidity' }],
      [{ field: 'x'.repeat(64), variable: 'air_temperature' }],
      [{ field: 'rain', variable: 'precipitation_amount', counter: true, scale: 0.2 }],
      Array.from({ length: MAX_MAPPINGS }, (_, index) => ({
        ...ONE,
        field: `f${index}`,
        station: `s${index}`,
      })),
    ];
    for (const mappings of accepted) acceptMappings(mappings);
    const refused: readonly (readonly [readonly FieldMapping[], string])[] = [
      [[{ ...ONE, field: '' }], 'The name of a field'],
      [[{ ...ONE, field: 'a b' }], 'The name of a field'],
      [[{ ...ONE, field: 'x'.repeat(65) }], 'The name of a field'],
      [[ONE, { ...ONE, variable: 'relative_humidity' }], 'The field temp3f is mapped twice.'],
      [[ONE, { ...ONE, field: 'temp4f' }], 'Two fields are mapped to air_temperature'],
      [
        [
          { ...ONE, station: 'B' },
          { ...ONE, field: 'temp4f', station: 'B' },
        ],
        'Two fields are mapped',
      ],
      [[{ ...ONE, variable: 'warmth' }], 'There is no variable "warmth".'],
      [[{ ...ONE, unit: 'hPa' }], ''],
      [[{ ...ONE, scale: 0 }], 'Scale and offset'],
      [[{ ...ONE, scale: NaN }], 'Scale and offset'],
      [[{ ...ONE, offset: Infinity }], 'Scale and offset'],
      [[{ ...ONE, counter: true }], 'The field temp3f cannot be a counter'],
      [
        [{ field: 'rain', variable: 'precipitation_amount', counter: true, offset: 1 }],
        'The counter rain cannot have an offset',
      ],
      [
        Array.from({ length: MAX_MAPPINGS + 1 }, (_, index) => ({
          ...ONE,
          field: `f${index}`,
          station: `s${index}`,
        })),
        'at most',
      ],
    ];
    for (const [mappings, rule] of refused) expect(() => acceptMappings(mappings), rule).to.throw(rule);
    expect(VARIABLES.some(({ name }) => name === ONE.variable)).to.equal(true);
  });

  it('make readings of values', () => {
    expect(mappedReading(ONE, 5)).to.deep.equal({ field: 'temp3f', variable: 'air_temperature', value: 5 });
    const scaled = { ...ONE, scale: 2, offset: -1 };
    expect(mappedReading(scaled, 5, '°F')).to.include({ value: 9, unit: '°F' });
    expect(mappedReading({ ...scaled, unit: 'K' }, 5, '°F')).to.include({ unit: 'K' });
    expect(mappedReading({ ...ONE, counter: true }, 5)).to.include({ counter: true });
  });
});
