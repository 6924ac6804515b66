import type { Path, Type, Value } from '@terrane/cty';
import type { ProviderDiagnostic } from '../contract.ts';
import type { DescriptionKind } from '../schema/model.ts';

/** Argument of a validator: a configured value and its path. */
export interface ValidatorRequest {
  readonly path: Path;
  readonly value: Value;
  /** the object that holds the value, as written */
  readonly siblings: Value;
}

/** Checks a written value. It is called for null and unknown values too. */
export type Validator = (request: ValidatorRequest) => readonly ProviderDiagnostic[];

/** Argument of a plan modifier. `plan`, `config` and `state` are the whole objects. */
export interface ModifierRequest {
  readonly path: Path;
  readonly config: Value;
  readonly plan: Value;
  readonly state: Value;
  readonly configValue: Value;
  readonly planValue: Value;
  readonly stateValue: Value;
}

/** The result of a plan modifier; no result leaves the value unchanged. */
export interface ModifierAnswer {
  readonly planValue?: Value;
  readonly requiresReplace?: boolean;
  readonly diagnostics?: readonly ProviderDiagnostic[];
}

/** Adjusts the planned value of an argument, or requires a replacement. */
export type Modifier = (request: ModifierRequest) => ModifierAnswer | undefined;

interface Described {
  readonly description?: string;
  /** default: plain */
  readonly descriptionKind?: DescriptionKind;
  /** deprecation message; shown as a warning if the argument is used */
  readonly deprecationMessage?: string;
}

interface Behaviour {
  readonly validators?: readonly Validator[];
  readonly modifiers?: readonly Modifier[];
}

/** Schema of an argument and its behaviour in plans. */
export interface AttributeDefinition extends Described, Behaviour {
  readonly type?: Type;
  readonly nested?: NestedDefinition;
  readonly required?: boolean;
  readonly optional?: boolean;
  readonly computed?: boolean;
  readonly sensitive?: boolean;
  readonly writeOnly?: boolean;
  /** a number that must be a 64-bit integer */
  readonly integer?: boolean;
  /** planned if the argument is not configured; the argument must be computed too */
  readonly default?: Value;
  /** validates the format of a known string */
  readonly check?: (text: string, path: Path) => ProviderDiagnostic | undefined;
  /** returns the path of a forbidden null in a known value; absent: null is allowed everywhere */
  readonly nullInside?: (v: Value) => Path | undefined;
  /** returns the previous value if both are semantically equal, otherwise the new one, or a combination */
  readonly keep?: (before: Value, after: Value) => Value;
  /** true if `keep` also applies to configured values */
  readonly keepInPlans?: boolean;
}

/** Arguments inside an argument. */
export interface NestedDefinition {
  readonly nesting: 'single' | 'list' | 'set' | 'map';
  readonly attributes: Readonly<Record<string, AttributeDefinition>>;
}

/** A block type inside a block. */
export interface BlockDefinition extends Described, Behaviour {
  readonly nesting: 'single' | 'group' | 'list' | 'set' | 'map';
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly attributes: Readonly<Record<string, AttributeDefinition>>;
  readonly blocks?: Readonly<Record<string, BlockDefinition>>;
}

/** The arguments and blocks of a resource type, a data source, an ephemeral resource or a provider. */
export interface ObjectDefinition extends Described {
  /** schema version; default 0 */
  readonly version?: number;
  readonly attributes?: Readonly<Record<string, AttributeDefinition>>;
  readonly blocks?: Readonly<Record<string, BlockDefinition>>;
}
