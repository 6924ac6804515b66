import type { Project } from '../project.ts';
import { UserCredentials } from './credentials.ts';
import type { CliConfig } from './model.ts';
import { readCliConfig } from './read-cli-config.ts';

const READ: WeakMap<Project, CliConfig> = new WeakMap();
const CREDENTIALS: WeakMap<Project, UserCredentials> = new WeakMap();

/** Returns the user's CLI configuration, which is read once per project. */
export function cliConfigOf(project: Project): CliConfig {
  let config = READ.get(project);
  if (config === undefined) {
    config = readCliConfig(project.host, project.originalDirectory);
    READ.set(project, config);
  }
  return config;
}

/** Returns the credentials of the user. */
export function credentialsOf(project: Project): UserCredentials {
  let credentials = CREDENTIALS.get(project);
  if (credentials === undefined) {
    credentials = new UserCredentials(project.host, cliConfigOf(project));
    CREDENTIALS.set(project, credentials);
  }
  return credentials;
}
