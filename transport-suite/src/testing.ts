export { transportContract } from './transport-contract.js';
export { type SimulatedSource, sourceContract } from './source-contract.js';
