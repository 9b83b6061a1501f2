export const uiDevices = {} as const;
