import type { Ask } from '../ask.ts';
import type { RunPorts } from '../run-ports.ts';

/** The backend options of `init`. */
export interface InitBackendOptions {
  /** the options `-backend-config`, in their order */
  readonly backendConfig: readonly string[];
  readonly reconfigure: boolean;
  readonly migrateState: boolean;
  readonly forceCopy: boolean;
  /** true if prompts are allowed */
  readonly input: boolean;
  readonly lock: boolean;
  readonly lockTimeoutMs: number;
  /** states may go to workspaces that a server runs with another version */
  readonly ignoreRemoteVersion?: boolean;
  /** reports renamed workspaces, and the workspace selected afterwards */
  readonly moved?: (names: readonly string[], selected: string) => void;
  readonly ask?: Ask;
  readonly ports: Pick<RunPorts, 'waiting'> & { readonly signal: AbortSignal };
}
