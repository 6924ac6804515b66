/** One piece of work that both programs can do. */
export interface Workload {
  readonly name: string;
  /** The heading of the results table. */
  readonly title: string;
  /** Configuration by file name. */
  readonly files: Readonly<Record<string, string>>;
  /** Commands that get a folder ready, not timed. */
  readonly prepare: readonly (readonly string[])[];
  /** Commands that Terrane runs in the directories of both programs, because the other is slow at them; states are interchangeable. */
  readonly terraneFirst?: readonly (readonly string[])[];
  /** The command that is timed. */
  readonly command: readonly string[];
  /** Further environment of both programs. */
  readonly environment?: Readonly<Record<string, string>>;
  /** True if each round starts from a fresh copy of the prepared directory. */
  readonly fresh: boolean;
  /** Rounds of the reference program; none where it would take too long. */
  readonly referenceRounds: number;
  readonly rounds: number;
  /** The required speed-up over the reference. */
  readonly goal?: number;
}
