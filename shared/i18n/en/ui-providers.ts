export const uiProviders = {} as const;
