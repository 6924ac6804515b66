import type { Value } from '@terrane/cty';
import type { Clock, Environment, FileSystem, Http, Random, Spawn } from '@terrane/host';
import type { Awaitable, Provider, ProviderDiagnostic } from './contract.ts';

/** A bundled provider. */
export interface BundledProvider {
  /** source address: "registry.terraform.io/hashicorp/random" */
  readonly address: string;
  /** the published version whose behaviour it implements; the empty string for the built-in provider */
  readonly version: string;
  readonly create: (ports: ProviderPorts) => Provider;
}

/** Host interfaces of the bundled providers, passed in at construction. */
export interface ProviderPorts {
  readonly files: FileSystem;
  readonly clock: Clock;
  readonly random: Random;
  /** runs commands, for `local_command`; without it that fails with a diagnostic */
  readonly spawn?: Spawn;
  readonly environment?: Environment;
  /** true if `terraform_data` has the block `store` of Terraform 1.16 */
  readonly dataStore?: boolean;
  /** the HTTP client, for providers of remote systems */
  readonly http?: Http;
  /** reads the outputs of another state, for `terraform_remote_state` */
  readonly readRemoteState?: (request: RemoteStateRequest) => Awaitable<RemoteStateAnswer>;
  /** checks the configuration of a backend without reading from it */
  readonly validateRemoteState?: (
    request: Pick<RemoteStateRequest, 'backend' | 'config'>,
  ) => Awaitable<readonly ProviderDiagnostic[]>;
}

/** Selects outputs of another state. */
export interface RemoteStateRequest {
  /** the address of the data source that reads it */
  readonly address?: string | undefined;
  readonly backend: string;
  /** an object as in a `backend` block, perhaps empty */
  readonly config: Value;
  /** undefined: the default workspace */
  readonly workspace: string | undefined;
}

/** The outputs of another state. */
export interface RemoteStateAnswer {
  /** undefined: the state does not exist */
  readonly outputs: ReadonlyMap<string, Value> | undefined;
  /** why it could not be read */
  readonly error?: string;
  /** problems of the backend configuration, instead of `error` */
  readonly diagnostics?: readonly ProviderDiagnostic[];
}
