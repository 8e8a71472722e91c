export { transportContract } from './transport-contract.js';
