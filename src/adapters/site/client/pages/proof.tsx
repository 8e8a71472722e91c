import type { PageDefinition } from '../page.js';
import { Proof } from '../proof/proof.js';
import { type ProofData, readProof } from '../proof/read-proof.js';
import { proofText } from '../proof/text.js';

/** The page that shows how good the forecasts of a station were. */
export const proof: PageDefinition<ProofData> = {
  load: readProof,
  title: ({ station }, { preferences }) => `${proofText(preferences.language).title} · ${station.name}`,
  preview: ({ station }, { preferences }) => ({
    path: `/stations/${encodeURIComponent(station.id)}/forecast`,
    description: `${station.name}: ${proofText(preferences.language).title}`,
  }),
  View: ({ data }) => <Proof {...data} />,
};
