import type { Value } from '@terrane/cty';
import type { Host } from '@terrane/host';
import type { ProviderDiagnostic } from '@terrane/provider';

/** The request to run a provisioner for an object. */
export interface ProvisionRequest {
  /** the block's label: `local-exec` */
  readonly type: string;
  /** the block's arguments by its schema, wholly known and without marks */
  readonly config: Value;
  /** the arguments of the connection; null where there is none */
  readonly connection: Value;
  /** shows a line of what is being done */
  readonly output: (line: string) => void;
  /** ends the work */
  readonly signal?: AbortSignal;
}

/** Does the work of a provisioner; errors say that it failed. */
export type Provisioner = (
  host: Host,
  request: ProvisionRequest,
) => Promise<readonly ProviderDiagnostic[]>;
