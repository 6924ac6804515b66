import type { Range } from '@terrane/hcl';
import type { PolicyResult, PolicyOutcome } from '../evaluate/result.ts';
import type { EnforcementLevel, PolicyKind, PolicyOperation } from '../language/model.ts';

/** A requested override of policies that fail. */
export interface PolicyOverride {
  /** the name or address of a policy or checker */
  readonly name: string;
  readonly reason: string;
}

/** A performed override. */
export interface PerformedOverride extends PolicyOverride {
  /** the user, as "user@host" */
  readonly by: string;
  /** RFC 3339 */
  readonly at: string;
}

/** The object of a policy result. */
export interface JudgedObject {
  readonly kind: PolicyKind | 'plan';
  /** such as `aws_s3_bucket.logs`, `provider["…"]`, `module.network` */
  readonly address: string;
  readonly operation?: PolicyOperation;
  /** the block in the configuration */
  readonly range?: Range;
}

/** The stage of a run at which a policy was decided. */
export type PolicyMoment = 'plan' | 'before-change' | 'after-apply';

/** The judgement of a policy about an object. */
export interface Judgement {
  readonly object: JudgedObject;
  readonly result: PolicyResult;
  readonly moment: PolicyMoment;
  readonly override?: PerformedOverride;
}

/** The result of an external checker. */
export interface CheckerResult {
  readonly checker: Checker;
  readonly outcome: PolicyOutcome;
  readonly messages: readonly string[];
  readonly override?: PerformedOverride;
}

/** A program that judges the JSON form of plans. */
export interface Checker {
  readonly name: string;
  /** the program and its arguments */
  readonly command: readonly string[];
  readonly level: EnforcementLevel;
  readonly timeoutMs: number;
}

/** All results of a run so far. */
export interface PolicyReport {
  readonly judgements: readonly Judgement[];
  readonly checkers: readonly CheckerResult[];
  readonly policies: number;
  readonly files: number;
  /** SHA-256 of all policy files, in hexadecimal */
  readonly digest: string;
}
