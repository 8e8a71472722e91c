import { STATION_INDICES } from '#domain/weather/indices/station-indices.js';
import { expectSection } from '../../../support/generated-section.js';

describe('docs/weather/indices.md', () => {
  it('lists each index with its columns, sources and rules', async () => {
    const names = [...new Set(STATION_INDICES.map(({ name }) => name))];
    const sections = names.map((name) => {
      const variants = STATION_INDICES.filter((index) => index.name === name);
      const { title, source } = variants[0] as (typeof variants)[number];
      const tables = variants.map(({ gives, rule, columns }) => {
        const items = columns.map(
          ({ name: column, unit, suffix = '', description, classes }) =>
            `- \`${column}\`${classes === undefined ? ` (${unit}${suffix})` : ''}: ${description}${classes === undefined ? '' : `: ${classes.map((one) => `\`${one}\``).join(', ')}`}`,
        );
        return `${gives === 'hours' ? 'Each hour' : 'Each day'}; valid: ${rule}.\n\n${items.join('\n')}\n`;
      });
      return `## ${title}\n\n\`…/indices/${name}\`. Sources: ${source}.\n\n${tables.join('\n')}`;
    });
    await expectSection('weather/indices.md', 'indices', sections.join('\n'));
  });
});
