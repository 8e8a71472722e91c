import { useSite } from '../site-context.js';
import { type ProofText, proof as english } from '../text/en/proof.js';
import { CATALOGS_OF_PROOF } from '../text/proof-catalogs.js';

/** The texts of this page, which are loaded with it. @param language language tag (BCP 47) */
export function proofText(language: string): ProofText {
  return (CATALOGS_OF_PROOF as Readonly<Record<string, ProofText>>)[language] ?? english;
}

export function useProofText(): ProofText {
  return proofText(useSite().preferences.language);
}
