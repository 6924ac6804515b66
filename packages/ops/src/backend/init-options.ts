import type { Ask } from '../ask.ts';
import type { RunPorts } from '../run-ports.ts';

/** How `init` sets a backend up. */
export interface InitBackendOptions {
  /** the options `-backend-config`, in their order */
  readonly backendConfig: readonly string[];
  readonly reconfigure: boolean;
  readonly migrateState: boolean;
  readonly forceCopy: boolean;
  /** questions may be asked */
  readonly input: boolean;
  readonly lock: boolean;
  readonly lockTimeoutMs: number;
  /** states may go to workspaces that a server runs with another version */
  readonly ignoreRemoteVersion?: boolean;
  /** told of workspaces that have been moved under names of their own, and of the one that is selected now */
  readonly moved?: (names: readonly string[], selected: string) => void;
  readonly ask?: Ask;
  readonly ports: Pick<RunPorts, 'waiting'> & { readonly signal: AbortSignal };
}
