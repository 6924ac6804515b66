/** Why a plugin could not be started or reached, in words for its user. */
export class PluginError extends Error {}
