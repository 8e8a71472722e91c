/** A decimal number in files and requests: `-3.5`, `.5` or `1e-3`, but not `Infinity` or `0x10`. */
export const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
