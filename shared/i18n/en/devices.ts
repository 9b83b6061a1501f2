export const devices = {} as const;
