import type { Value } from '@terrane/cty';
import type { Host } from '@terrane/host';
import type { ProviderDiagnostic } from '@terrane/provider';

/** The request to run a provisioner for an object. */
export interface ProvisionRequest {
  /** the block's label: `local-exec` */
  readonly type: string;
  /** the block's arguments by its schema, wholly known and without marks */
  readonly config: Value;
  /** the arguments of the connection; null if absent */
  readonly connection: Value;
  /** prints a line of progress */
  readonly output: (line: string) => void;
  /** ends the work */
  readonly signal?: AbortSignal;
}

/** Runs a provisioner; error diagnostics mean that it failed. */
export type Provisioner = (
  host: Host,
  request: ProvisionRequest,
) => Promise<readonly ProviderDiagnostic[]>;
