/** The location of the contended state. */
export type Target =
  | { readonly kind: 'local'; readonly path: string }
  /** a `cloud` block's workspace at a server that stands for HCP Terraform */
  | { readonly kind: 'cloud'; readonly url: string; readonly workspace: string }
  | {
      readonly kind: 'backend';
      readonly type: string;
      /** arguments as JSON */
      readonly config: Readonly<Record<string, unknown>>;
      /** all the environment that the backend sees */
      readonly env: Readonly<Record<string, string>>;
      /** the origin of a server that answers for all hosts */
      readonly through?: string;
    };

/** The task of a process. */
export interface Task {
  readonly target: Target;
  /** how often to count */
  readonly times: number;
  /** how many do the same */
  readonly processes: number;
  /** how long to wait, about, and at least, while another client has the lock */
  readonly pauseMs: number;
  /** a file that exists while a client has the lock */
  readonly witness: string;
  /** for files of its own */
  readonly folder: string;
}

/** The observations of a process. */
export interface Report {
  /** the numbers that it has written */
  readonly seen: readonly number[];
  /** how often another client had the lock */
  readonly refused: number;
  readonly error?: string;
}
