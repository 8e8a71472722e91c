/** How this service names itself at services whose protocol has a field for it: name, and version without the last number. */
export const SOFTWARE = { name: 'weatherd', version: '1.0' } as const;
