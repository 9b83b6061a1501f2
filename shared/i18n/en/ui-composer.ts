export const uiComposer = {} as const;
