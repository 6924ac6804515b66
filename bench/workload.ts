/** One piece of work that both programs can do. */
export interface Workload {
  readonly name: string;
  /** What the numbers of the result mean. */
  readonly title: string;
  /** Configuration by file name. */
  readonly files: Readonly<Record<string, string>>;
  /** Commands that get a folder ready, not timed. */
  readonly prepare: readonly (readonly string[])[];
  /** What Terrane does in the folders of both programs, since the other takes long for it: a state is the same to both. */
  readonly terraneFirst?: readonly (readonly string[])[];
  /** The command that is timed. */
  readonly command: readonly string[];
  /** Further environment of both programs. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether each round starts from a fresh copy of the prepared folder. */
  readonly fresh: boolean;
  /** Rounds of the reference program; none where it would take too long. */
  readonly referenceRounds: number;
  readonly rounds: number;
  /** How many times as fast as the reference this has to be. */
  readonly goal?: number;
}
