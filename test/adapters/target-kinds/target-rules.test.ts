import { pwsweather } from '#adapters/target-kinds/pwsweather.js';
import { wowBe } from '#adapters/target-kinds/wow-be.js';
import { wunderground } from '#adapters/target-kinds/wunderground.js';
import { targetRules } from '#transport-suite/target-contract.js';
import { startService } from '../../support/target-bench.js';

for (const kind of [wunderground, pwsweather, wowBe])
  describe(`target › ${kind.name}`, () =>
    targetRules(
      async () => kind,
      async () => {
        const { url, stop } = await startService(() => ({ body: 'success' }));
        return { settings: { account: 'KNYNEWYO1', secret: 'hunter22', url }, stop };
      },
    ));
