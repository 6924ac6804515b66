import type { Backend } from '@terrane/backends';
import type { LocalBackend } from '../local-backend.ts';

/** A backend that does not store states in local files. */
export interface OpenedBackend {
  readonly kind: 'opened';
  readonly type: string;
  readonly backend: Backend;
  /** a unique part of a file name for local data of this backend */
  readonly identity: string;
}

/** The storage of a project's states. */
export type StateBackend = LocalBackend | OpenedBackend;
