import type { Backend } from '@terrane/backends';
import type { LocalBackend } from '../local-backend.ts';

/** A backend that keeps states elsewhere than in files of this machine. */
export interface OpenedBackend {
  readonly kind: 'opened';
  readonly type: string;
  readonly backend: Backend;
  /** tells it from others, for the names of what is kept of it on this machine; a part of a file name */
  readonly identity: string;
}

/** Where the states of a project are kept. */
export type StateBackend = LocalBackend | OpenedBackend;
