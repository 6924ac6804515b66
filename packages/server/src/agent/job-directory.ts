// The directory in which a job is executed, and the environment of its commands.
import { posix } from 'node:path';
import type { Host } from '@terrane/host';
import { fields } from '../http/request.ts';
import type { AgentJob } from '../services/jobs.ts';
import type { RunVariable } from '../services/variables.ts';
import type { AgentClient } from './agent-client.ts';
import { parseJsonBytes } from './plan-facts.ts';
import { unpackConfiguration } from './unpack-configuration.ts';

const OVERRIDE_NAME = 'zz_terrane_run_override.tf';
/** The backend of runs: `path` is the state of a workspace with the name `default`. */
const OVERRIDE =
  'terraform {\n  backend "local" {\n    path          = ".terrane/state/default/terraform.tfstate"\n    workspace_dir = ".terrane/state"\n  }\n}\n';
/** The directory of the policies, relative to the root module. */
export const POLICIES = '.terrane/policies';

/** Settings and ports of a job directory. */
export interface JobDirectoryContext {
  readonly client: Pick<AgentClient, 'content'>;
  readonly host: Pick<Host, 'files'>;
  /** the host name of the server, for the credentials of `terraform_remote_state` */
  readonly serverHost: string;
  /** variables of the agent's environment that runs receive */
  readonly passedEnvironment: Readonly<Record<string, string>>;
  /** a directory for downloaded providers, shared by the jobs of the agent */
  readonly cacheDirectory?: string;
}

/** The directory of a job: the unpacked configuration with what its run needs. */
export class JobDirectory {
  readonly #context: JobDirectoryContext;
  readonly #job: AgentJob;
  readonly #directory: string;

  constructor(context: JobDirectoryContext, job: AgentJob, directory: string) {
    this.#context = context;
    this.#job = job;
    this.#directory = directory;
  }

  /** the directory of the root module */
  get root(): string {
    return posix.join(this.#directory, 'configuration', this.#job.workspace.workingDirectory);
  }

  /** the state file */
  get state(): string {
    return posix.join(this.#states, 'terraform.tfstate');
  }

  /** the journal of the state file */
  get journal(): string {
    return posix.join(this.#states, '.terraform.tfstate.journal');
  }

  get #states(): string {
    return posix.join(this.root, '.terrane/state', this.#job.workspace.name);
  }

  /** Writes the configuration, the variables, the state and its journal. */
  async prepare(): Promise<void> {
    const { client, host } = this.#context;
    const { files } = host;
    const { root } = this;
    const archive = await client.content(this.#job, 'configuration');
    if (archive === undefined) throw new Error('The server has no configuration for the run.');
    await files.makeDirectory(posix.join(this.#directory, 'configuration'));
    await unpackConfiguration(files, archive, posix.join(this.#directory, 'configuration'));
    if ((await files.stat(root))?.kind !== 'directory') {
      throw new Error(
        `The working directory ${JSON.stringify(this.#job.workspace.workingDirectory)} of the workspace does not exist in the configuration.`,
      );
    }
    // Data directories in the upload are specific to the machine of the client.
    await files.removeTree(posix.join(root, '.terraform'));
    await files.removeTree(posix.join(root, '.terrane'));
    await files.makeDirectory(this.#states);
    await files.writeFile(posix.join(root, OVERRIDE_NAME), OVERRIDE);
    await files.writeFile(
      posix.join(root, '.terrane/run.tfvars'),
      variablesFile(this.#job.variables),
      { mode: 0o600 },
    );
    await files.writeFile(
      posix.join(root, '.terrane/cli.tfrc'),
      `credentials ${JSON.stringify(this.#context.serverHost)} {\n  token = ${JSON.stringify(this.#job.token)}\n}\n`,
      { mode: 0o600 },
    );
    await this.#writeIdentity();
    const state = await client.content(this.#job, 'state');
    if (state !== undefined) {
      await files.writeFile(this.state, state, { mode: 0o600 });
    }
    await this.#writePolicies();
    const journal = await client.content(this.#job, 'journal');
    if (journal !== undefined) {
      await files.writeFile(this.journal, journal, { mode: 0o600 });
    }
  }

  /** Writes the policies of the run beside the configuration. The server has checked their names. */
  async #writePolicies(): Promise<void> {
    if (this.#job.policies === undefined) return;
    const { client, host } = this.#context;
    const content = await client.content(this.#job, 'policies');
    if (content === undefined) throw new Error('The server has no policies for the run.');
    const list: unknown = parseJsonBytes(content);
    const directory = posix.join(this.root, POLICIES);
    for (const each of Array.isArray(list) ? (list as readonly unknown[]) : []) {
      const { path, text } = fields(each);
      const file = posix.join(directory, String(path));
      if (!file.startsWith(`${directory}/`)) throw new Error('A policy has an invalid name.');
      await host.files.makeDirectory(posix.dirname(file));
      await host.files.writeFile(file, String(text));
    }
  }

  /** Returns the environment of the commands of the run: those of the engine, or of another program. */
  environment(isEngine: boolean): Record<string, string> {
    const { cacheDirectory, passedEnvironment } = this.#context;
    const ofRun = this.#job.variables.filter(({ category }) => category === 'env');
    const { name, organization, project } = this.#job.workspace;
    const ofEngine = isEngine
      ? { ...(cacheDirectory !== undefined && { TF_PLUGIN_CACHE_DIR: cacheDirectory }) }
      : // The cache of other programs does not support several of them at the same time.
        { CHECKPOINT_DISABLE: '1' };
    return {
      ...passedEnvironment,
      ...ofEngine,
      ...Object.fromEntries(ofRun.map((each) => [each.key, each.value])),
      ...this.#identityEnvironment(),
      TF_CLI_CONFIG_FILE: posix.join(this.root, '.terrane/cli.tfrc'),
      TF_IN_AUTOMATION: '1',
      TF_INPUT: '0',
      TF_WORKSPACE: name,
      TFC_RUN_ID: this.#job.run.id,
      TFC_WORKSPACE_NAME: name,
      TFC_WORKSPACE_SLUG: `${organization}/${name}`,
      TFC_PROJECT_NAME: project,
      TFC_CONFIGURATION_VERSION_GIT_BRANCH: '',
    };
  }

  /** Writes the identity tokens of the run for cloud providers, with mode 0600. */
  async #writeIdentity(): Promise<void> {
    const { files } = this.#context.host;
    for (const { name, content } of this.#job.identity?.files ?? []) {
      const text = content.replaceAll(/\{path:([\w.-]+)\}/g, (_all, other: string) =>
        this.#identityPath(other),
      );
      await files.writeFile(this.#identityPath(name), text, { mode: 0o600 });
    }
  }

  #identityPath(name: string): string {
    return posix.join(this.root, '.terrane', name);
  }

  #identityEnvironment(): Record<string, string> {
    const { environment = {}, files = [] } = this.#job.identity ?? {};
    return {
      ...environment,
      ...Object.fromEntries(
        files
          .filter(({ variable }) => variable !== '')
          .map(({ variable, name }) => [variable, this.#identityPath(name)]),
      ),
    };
  }
}

/** Returns a variables file with the input variables of a run. */
export function variablesFile(variables: readonly RunVariable[]): string {
  return variables
    .filter(({ category }) => category === 'terraform')
    .map(({ key, value, hcl }) => `${key} = ${hcl ? value : quoted(value)}\n`)
    .join('');
}

/** Returns a string literal of the language. */
function quoted(value: string): string {
  const escaped = value
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t')
    // In a replacement, "$$" stands for one "$".
    .replaceAll('${', '$$$${')
    .replaceAll('%{', '%%{');
  return `"${escaped}"`;
}
