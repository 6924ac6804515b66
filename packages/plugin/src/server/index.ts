// Providers as plugins: what the main file of a provider written in TypeScript ends with
export type { LogFields, Logger, LogLevel } from './log.ts';
export type { Served, ServeOptions, ServePorts } from './serve.ts';
export { serve, serveIn } from './serve.ts';
