export const uiCatalog = {} as const;
