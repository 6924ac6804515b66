import type { Diagnostic } from '@terrane/hcl';

/**
 * The severity of drift, from the highest to the lowest:
 *
 * - `vanished`: the object does not exist any more
 * - `configured`: an argument that the configuration sets has another value
 * - `referenced`: a value that the configuration refers to has changed
 * - `noise`: anything else, such as a time stamp that the provider computes
 */
export type DriftLevel = 'vanished' | 'configured' | 'referenced' | 'noise';

/** All levels, from the highest to the lowest. */
export const DRIFT_LEVELS: readonly DriftLevel[] = [
  'vanished',
  'configured',
  'referenced',
  'noise',
];

/** Returns true if a level is at least as high as another one. */
export function isAtLeast(level: DriftLevel, threshold: DriftLevel): boolean {
  return DRIFT_LEVELS.indexOf(level) <= DRIFT_LEVELS.indexOf(threshold);
}

/** Returns the highest of some levels; `noise` if there are none. */
export function highestOf(levels: Iterable<DriftLevel>): DriftLevel {
  let highest: DriftLevel = 'noise';
  for (const level of levels) if (isAtLeast(level, highest)) highest = level;
  return highest;
}

/** A position in the configuration or in a rules file. */
export interface DriftLocation {
  readonly file: string;
  readonly line: number;
}

/**
 * A value in a report. Values that are sensitive or ephemeral were replaced when the report was created, so no format
 * can contain them.
 */
export type ReportedValue =
  | { readonly kind: 'absent' | 'sensitive' | 'unknown' }
  /** the exact value as JSON text */
  | { readonly kind: 'known'; readonly json: string };

/** An expression that refers to a changed value. */
export interface DriftReference {
  /** the declaration with the expression: `output.ip`, `aws_eip.web`, `module.net` */
  readonly from: string;
  readonly location: DriftLocation;
}

/** The ignore rule that applies to a change. */
export interface AppliedRule {
  readonly location: DriftLocation;
  readonly owner: string;
  readonly reason: string;
  /** the last day on which the rule applies, or the time at which it ends, as written */
  readonly until: string;
}

/** The change of one attribute of an object. */
export interface DriftedAttribute {
  /** `tags["env"]`, `disk[0].size`; empty for the whole value of an output */
  readonly path: string;
  readonly level: DriftLevel;
  readonly before: ReportedValue;
  readonly after: ReportedValue;
  /** the configured argument, if the configuration sets one */
  readonly configuredAt?: DriftLocation;
  /** `ignore_changes` covers the argument */
  readonly isIgnoredByConfiguration: boolean;
  readonly references: readonly DriftReference[];
  readonly ignoredBy?: AppliedRule;
}

/** The planned change of a drifted object. */
export interface Prediction {
  readonly action: PredictedAction;
  /** one sentence without the final full stop */
  readonly summary: string;
  /** the explanation of the planned action, as `terrane explain` prints it */
  readonly explanation: string;
  /** the same as JSON; undefined if there is no planned action to explain */
  readonly explanationJson?: string;
  /** other objects that the plan would change because of the drift */
  readonly consequences: readonly PredictedChange[];
}

/** The action that a plan would take for a drifted object. */
export type PredictedAction =
  /** the plan changes nothing and stores the new values */
  | 'adopt'
  /** the plan forgets the object, which does not exist and is not configured */
  | 'forget'
  | 'create'
  | 'update'
  | 'replace'
  | 'delete'
  /** no plan could be created */
  | 'unknown';

/** A planned change of another object. */
export interface PredictedChange {
  readonly address: string;
  readonly action: PredictedAction;
}

/** The drift of one object or output. */
export interface DriftEntry {
  readonly address: string;
  /**
   * `record`: only stored data that is not part of the object differs, such as the private data of the provider or the
   * version of the schema
   */
  readonly kind: 'resource' | 'output' | 'record';
  /** the level of the changes that no rule ignores; of all changes if rules ignore all of them */
  readonly level: DriftLevel;
  /** true if the object does not exist any more */
  readonly isVanished: boolean;
  /** the block in the configuration; undefined if it has none */
  readonly location?: DriftLocation;
  readonly changes: readonly DriftedAttribute[];
  /** true if rules ignore the whole entry */
  readonly isIgnored: boolean;
  /** the rule that ignores a vanished object */
  readonly ignoredBy?: AppliedRule;
  readonly prediction: Prediction;
}

/** The result of a drift run. */
export interface DriftReport {
  /** by level, then by address; ignored entries included */
  readonly entries: readonly DriftEntry[];
  /** entries that are not ignored and whose level is at least the threshold */
  readonly alarms: readonly DriftEntry[];
  readonly threshold: DriftLevel;
  readonly workspace: string;
  /** RFC 3339 */
  readonly timestamp: string;
  /** false if objects could not be read or were not selected */
  readonly isComplete: boolean;
  /** rules that have expired, and rules that matched nothing */
  readonly expiredRules: readonly AppliedRule[];
  readonly unusedRules: readonly AppliedRule[];
  /** warnings, for instance about a run in progress */
  readonly diagnostics: readonly Diagnostic[];
}
