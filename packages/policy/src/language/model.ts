import type { Type, Value } from '@terrane/cty';
import type { Expression, Range, Source } from '@terrane/hcl';

/** The consequence of a failed policy. */
export type EnforcementLevel = 'advisory' | 'mandatory_overridable' | 'mandatory';

/** The levels, from the weakest to the strictest. */
export const ENFORCEMENT_LEVELS: readonly EnforcementLevel[] = [
  'advisory',
  'mandatory_overridable',
  'mandatory',
];

/** The kind of evaluated objects: the blocks `resource_policy`, `provider_policy` and `module_policy`. */
export type PolicyKind = 'resource' | 'provider' | 'module';

/** A planned operation that a resource policy can be limited to. */
export type PolicyOperation = 'create' | 'update' | 'delete';

/** An `enforce` block. */
export interface Enforcement {
  /** position in its policy, from 0 */
  readonly index: number;
  readonly range: Range;
  readonly condition: Expression;
  readonly errorMessage?: Expression;
  readonly infoMessage?: Expression;
}

/** A policy: a block of a policy file. */
export interface Policy {
  readonly kind: PolicyKind;
  /** the first label: a resource type, provider type or module source, in which `*` matches any characters */
  readonly target: string;
  /** the second label */
  readonly name: string;
  /** such as `resource_policy.aws_s3_bucket.encrypted` */
  readonly address: string;
  readonly range: Range;
  readonly filter?: Expression;
  readonly enforcementLevel?: Expression;
  readonly operations: ReadonlySet<PolicyOperation>;
  readonly locals: ReadonlyMap<string, Expression>;
  readonly enforcements: readonly Enforcement[];
}

/** An `input` block. */
export interface PolicyInput {
  readonly name: string;
  readonly range: Range;
  readonly type: Type;
  readonly description: string;
  readonly default?: Value;
  readonly sensitive: boolean;
  readonly nullable: boolean;
}

/** A provider that a file declares with `required_providers`. */
export interface RequiredProvider {
  readonly source: string;
  readonly version?: string;
}

/** A policy file. Files are evaluated independently of each other. */
export interface PolicyFile {
  /** path as in diagnostics */
  readonly path: string;
  readonly source: Source;
  readonly inputs: ReadonlyMap<string, PolicyInput>;
  readonly locals: ReadonlyMap<string, Expression>;
  readonly policies: readonly Policy[];
  /** the level of policies without their own */
  readonly enforcementLevel?: Expression;
  readonly requiredProviders: ReadonlyMap<string, RequiredProvider>;
}
