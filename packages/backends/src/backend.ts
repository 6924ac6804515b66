import type { Value } from '@terrane/cty';
import type { Host, SideStorage, Storage } from '@terrane/host';
import type { BlockSchema } from '@terrane/provider';
import type { RunServer, RunWorkspace } from './cloud/run-server.ts';

/** An error in the configuration of a backend. */
export interface BackendProblem {
  readonly severity: 'error' | 'warning';
  readonly summary: string;
  readonly detail: string;
  /** the argument that it is about, from the outside in: `['assume_role', 'role_arn']` */
  readonly argument?: readonly string[];
}

/** The host interfaces that a backend may use. */
export interface BackendPorts {
  readonly host: Host;
  /** the program's `User-Agent` header */
  readonly userAgent: string;
  /** the token that the user has for a host, of the CLI configuration, the environment or a helper */
  tokenOf?(host: string): Promise<string | undefined>;
  /** returns the URL of a host's service (`tfe.v2`), by service discovery; rejects with Terraform's message */
  serviceOf?(host: string, service: string): Promise<string>;
  /** the version of Terraform that this program implements, for servers that require it */
  readonly terraformVersion?: string;
  /** aborted when the run is cancelled */
  readonly signal?: AbortSignal;
}

/**
 * A kind of backend. Its configuration is Terraform's: the same arguments, with the same environment variables as
 * defaults.
 */
export interface BackendKind {
  readonly type: string;
  /**
   * the schema of its block; all arguments are optional, because the environment may supply them: `check` reports
   * missing ones
   */
  readonly schema: BlockSchema;
  /** arguments that Terraform 1.11 does not have: if absent, they are not part of the recorded configuration */
  readonly additional?: readonly string[];
  /** arguments that `init` prompts for if neither the configuration nor the environment supplies them */
  asked?(environment: Host['environment']): readonly string[];
  /** Validates a configuration: a known, unmarked object of the schema's type. Does not go anywhere. */
  check(config: Value, ports: Pick<BackendPorts, 'host'>): readonly BackendProblem[];
  /**
   * Opens the backend of a validated configuration. Libraries are loaded only now. Rejects with an error whose message
   * is for users, without secrets, like all operations of a backend.
   */
  open(config: Value, ports: BackendPorts): Promise<Backend>;
}

/** The workspaces of a backend that has more than the default one. */
export interface BackendWorkspaces {
  /**
   * Names of those that have a state, the default one first (it is always there unless `areNamed`), the others sorted.
   */
  names(): Promise<readonly string[]>;
  /** Deletes the state of a workspace other than the default one; with `force` also where it is not empty. */
  delete(name: string, options?: { readonly force: boolean }): Promise<void>;
  /**
   * True if workspaces exist independently of states: there is no default one, `storage` creates missing ones, and a
   * workspace may have no state yet.
   */
  readonly areNamed?: boolean;
  /** True if Terraform also creates an empty state when a missing default workspace is selected. */
  readonly defaultIsMade?: boolean;
}

/** The remote execution of a workspace by the backend's server. */
export interface BackendRuns {
  /**
   * Returns a workspace with remote execution; `undefined` for local execution. Rejects if the workspace cannot be
   * read.
   */
  remoteWorkspace(workspace: string): Promise<RunWorkspace | undefined>;
  /**
   * Checks the version with which the server runs a workspace before this program's version changes its state. With
   * `ignored` it is a warning.
   */
  checkVersion(workspace: string, ignored: boolean): Promise<readonly BackendProblem[]>;
  /** returns the workspace name that the server uses, with its organization */
  nameOf(workspace: string): string;
  /** returns the workspace name that the server uses, without the organization */
  remoteName(workspace: string): string;
  /** the server itself, to start runs */
  readonly server: RunServer;
}

/** The parts specific to Terraform's native integration, the `cloud` block. */
export interface CloudPart {
  /** the server's product name */
  readonly appName: string;
  /** the workspace that the configuration is mapped to; `undefined`: it is mapped to all with some tags */
  readonly name: string | undefined;
  /** the tags, formatted for messages */
  readonly tags: string;
}

/** A storage of states, one for each workspace. */
export interface Backend {
  /** `undefined`: there is the default workspace only */
  readonly workspaces?: BackendWorkspaces;
  /**
   * Returns the storage of a workspace's state. It is created by the first write. Writes are conditional if the service
   * allows it: they replace only the version that this storage has read or written last, or reject with a {@link
   * StateConflict}.
   */
  storage(workspace: string): Promise<Storage>;
  /**
   * Returns the storage of further data beside a workspace's state, such as a history of runs. Absent if the backend
   * can store nothing but states, and undefined if the user may not create it. Deleting a workspace may leave this data
   * behind.
   */
  sideStorage?(workspace: string): Promise<SideStorage | undefined>;
  /**
   * Verifies features of the service that locks depend on, such as conditional writes; rejects if they are missing.
   * Called when `init` sets the backend up.
   */
  verify?(): Promise<void>;
  /** Closes the connections. */
  close?(): Promise<void>;
  /** distinguishes backends whose environment has settings that the configuration does not contain */
  readonly place?: string;
  /** a server that can execute runs */
  readonly runs?: BackendRuns;
  /** present if a `cloud` block configured it */
  readonly cloud?: CloudPart;
  /** the server's workspace names if they differ; `*` represents the configured name */
  readonly namePattern?: string;
}

/** An error with a separate summary and detail. The message contains both. */
export class BackendFault extends Error {
  readonly summary: string;
  readonly detail: string;
  /** the argument of the configuration that it is about */
  readonly argument: string | undefined;

  constructor(
    summary: string,
    detail: string,
    options: ErrorOptions & { readonly argument?: string } = {},
  ) {
    super(detail === '' ? summary : `${summary}: ${detail}`, options);
    this.name = 'BackendFault';
    this.summary = summary;
    this.detail = detail;
    this.argument = options.argument;
  }
}

/** The error for a state that another client has written since it was read; nothing has been written. */
export class StateConflict extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StateConflict';
  }
}
