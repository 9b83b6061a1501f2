export const doctor = {} as const;
