import type { Value } from '@terrane/cty';
import type { ProviderDiagnostic } from '@terrane/provider';

/** The request to run a provisioner for an object. */
export interface ProvisionRequest {
  readonly type: string;
  /** the block's arguments by its schema, wholly known and without marks */
  readonly config: Value;
  /** the arguments of the connection; null if there is none */
  readonly connection: Value;
  /** shows a line of progress */
  readonly output: (line: string) => void;
  readonly signal?: AbortSignal;
}

/** Runs provisioners by type. */
export interface ProvisionerPort {
  /** Runs a provisioner; an error among the diagnostics means that it failed. */
  provision(request: ProvisionRequest): Promise<readonly ProviderDiagnostic[]>;
}
