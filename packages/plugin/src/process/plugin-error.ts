/** A plugin could not be started or reached; the message is for users. */
export class PluginError extends Error {}
