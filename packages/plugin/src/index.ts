// Plugin processes and their client
export type { Plugin } from './client/open-plugin.ts';
export { openPlugin } from './client/open-plugin.ts';
export type { PluginTarget } from './client/plugin-pool.ts';
export type { Handshake } from './process/handshake.ts';
export { PluginError } from './process/plugin-error.ts';
export type { PluginPorts } from './process/plugin-process.ts';
export { parseReattach } from './process/reattach.ts';

// Certificates for one run
export { type Certificate, makeCertificate } from './process/certificate.ts';
