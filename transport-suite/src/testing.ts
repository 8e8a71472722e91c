export { type ExampleFile, importFormatContract } from './import-format-contract.js';
export { type SimulatedSource, sourceContract } from './source-contract.js';
export { type SimulatedTarget, targetContract } from './target-contract.js';
export { transportContract } from './transport-contract.js';
