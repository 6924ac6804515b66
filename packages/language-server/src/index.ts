export { startLanguageServer, type LanguageServer, type LanguageServerPorts } from './server.ts';
export { type EngineWork, ModuleEngine } from './module-engine.ts';
export { DEFAULT_SETTINGS, readSettings, type Settings } from './settings.ts';
