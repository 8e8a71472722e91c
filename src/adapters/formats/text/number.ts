/** A decimal number, as files and requests have it: `-3.5`, `.5`, `1e-3`. Neither `Infinity` nor `0x10` is one. */
export const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
