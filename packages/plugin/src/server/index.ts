// Serving providers as plugins, from the main file of a provider written in TypeScript
export type { LogFields, Logger, LogLevel } from './log.ts';
export type { Served, ServeOptions, ServePorts } from './serve.ts';
export { serve, serveIn } from './serve.ts';
