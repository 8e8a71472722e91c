import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { SOURCE_KINDS } from '#adapters/source-kinds/source-kinds.js';
import { SourceKinds } from '#application/sources/source-kinds.js';
import { askedDevice } from '../../support/devices/asked-device.js';
import { type Simulator, SIMULATORS } from '../../support/devices/simulators.js';

const PAGE = readFileSync(new URL('../../../../docs/sources.md', import.meta.url), 'utf8');

/** The commands of the page that add a source, with their options. */
function documentedSources() {
  const commands = PAGE.replaceAll('\\\n', ' ').matchAll(/^weatherd source add \S+ (--.*)$/gm);
  return [...commands].map(([, text = '']) => {
    const options = [...text.matchAll(/--([a-z-]+) (\S+)/g)].map(
      ([, name = '', value = '']) => [name, value] as const,
    );
    const { kind = '', address, account, device } = Object.fromEntries(options);
    return {
      kind,
      settings: {
        ...(address !== undefined && { address }),
        ...(account !== undefined && { account }),
        ...(device !== undefined && { device }),
      },
      hasSecrets: options.some(([name]) => name === 'secret-file'),
      fields: options.flatMap(([name, value]) => (name === 'map' ? [value.split('=')[0] ?? ''] : [])),
    };
  });
}

describe('The commands of docs/sources.md', () => {
  const sources = documentedSources();

  it('name each kind, and each kind has a simulator', () => {
    const names = SOURCE_KINDS.map(({ name }) => name);
    expect([...new Set(sources.map(({ kind }) => kind))]).to.have.members(names);
    expect(Object.keys(SIMULATORS)).to.have.members(names);
  });

  for (const { kind: name, settings, hasSecrets, fields } of sources)
    it(`add a source of the kind ${name} that reports`, async () => {
      const kinds = new SourceKinds(SOURCE_KINDS);
      const kind = kinds.named(name);
      const simulator = await (SIMULATORS[name] as () => Promise<Simulator>)();
      const { settings: simulated, secrets = {} } = simulator;
      try {
        kinds.assert(kind, settings, hasSecrets ? secrets : {});
        const device = { ...settings, ...simulated };
        const [report] =
          simulator.datagram === undefined
            ? ((await kind.ask?.(askedDevice({ ...device, secrets, fields }))) ?? [])
            : (kind.datagrams?.decode(simulator.datagram, device, Date.now()) ?? []);
        const values = [
          ...(report?.readings ?? []),
          ...(report?.fields ?? []).filter((one) => fields.includes(one.name)),
        ];
        expect(values).to.have.length.greaterThan(1);
      } finally {
        await simulator.close();
      }
    });
});

describe('The example of a kind in docs/sources.md', () => {
  it('is the package that the tests run', () => {
    const example = new URL('../../../../test/fixtures/source-package/index.js', import.meta.url);
    expect(PAGE).to.contain(`\`\`\`js\n${readFileSync(example, 'utf8')}\`\`\``);
  });
});
