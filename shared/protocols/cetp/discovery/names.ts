/** Names that CETP fixes for discovery (v1 2.2, v2 2.1). */
export const TOOL_PROVIDER_ACTION = 'com.clawseed.action.TOOL_PROVIDER';
export const META_AUTHORITY = 'com.clawseed.tools.authority';
export const META_VERSION = 'com.clawseed.tools.version';
export const META_VERSIONS = 'com.clawseed.tools.versions';
export const ACCESS_PERMISSION = 'com.clawseed.permission.ACCESS_TOOLS';
