export const bridge = {} as const;
