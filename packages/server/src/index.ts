// The server
export { type Database, openEmbedded, openPostgres } from './database/database.ts';
export { databaseClock } from './database/database-clock.ts';
export { listenPostgres, type TopicsOptions } from './database/topics.ts';
export type { App } from './http/app.ts';
export {
  createAgentToken,
  createFirstUser,
  createMetricsToken,
  createUserToken,
  type FirstUser,
  openServer,
  type Server,
  type ServerOptions,
} from './server.ts';
export { LARGEST_BLOB, LARGEST_STREAM, moveBlobs } from './services/blobs.ts';
export { mailUrlProblem, type MailOptions, openMailer } from './services/mailer.ts';
export type { OidcOptions } from './services/single-sign-on.ts';
export type { KeyWrapper } from './services/sealing.ts';
export type {
  BlobStorage,
  Mail,
  OutgoingAnswer,
  OutgoingRequest,
  Send,
  Services,
} from './services/services.ts';
export type { TopicChannel } from './services/wakeups.ts';

// Import
export {
  importOrganization,
  type ImportOptions,
  type ImportResult,
} from './import/import-organization.ts';
export { type OrganizationAccess, OrganizationClient } from './import/organization-client.ts';

// The agent
export { type Agent, type AgentOptions, runAgent } from './agent/agent.ts';
export type { AgentMessage, AgentReport } from './agent/agent-message.ts';
export { AgentClient, type AgentTransport } from './agent/agent-client.ts';
export {
  dispatchKubernetesJobs,
  type KubernetesJobsOptions,
  type KubernetesRequest,
  manifestProblem,
} from './agent/kubernetes-jobs.ts';
export {
  EVENTS_PATH,
  type ExecutedCommand,
  type Execute,
  type ExecuteOptions,
} from './agent/execute.ts';
