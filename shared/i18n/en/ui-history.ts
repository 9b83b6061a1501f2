export const uiHistory = {} as const;
