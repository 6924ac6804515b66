export { startLanguageServer, type LanguageServer, type LanguageServerPorts } from './server.ts';
export { DEFAULT_SETTINGS, readSettings, type Settings } from './settings.ts';
