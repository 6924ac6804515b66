import type { Type } from '@terrane/cty';

/** The format of a description: plain text or Markdown. */
export type DescriptionKind = 'plain' | 'markdown';

/** The schema of a provider configuration, a resource type, a data source or an ephemeral resource. */
export interface Schema {
  /** Version of the stored form; a state of a lower version is passed to `upgradeResourceState`. */
  readonly version: number;
  readonly block: BlockSchema;
}

/** The arguments and nested blocks that one block may hold. */
export interface BlockSchema {
  readonly attributes: Readonly<Record<string, AttributeSchema>>;
  readonly blocks: Readonly<Record<string, NestedBlock>>;
  readonly description?: string;
  readonly descriptionKind?: DescriptionKind;
  readonly deprecated?: boolean;
  /** the suggested alternative */
  readonly deprecationMessage?: string;
  /** true if the provider may compute unwritten nested blocks (Terraform 1.16) */
  readonly computed?: boolean;
}

/** Schema of an argument. Exactly one of `type` and `nested` is set. */
export interface AttributeSchema {
  readonly type?: Type;
  readonly nested?: NestedAttributes;
  readonly required?: boolean;
  readonly optional?: boolean;
  readonly computed?: boolean;
  readonly sensitive?: boolean;
  readonly writeOnly?: boolean;
  readonly deprecated?: boolean;
  readonly description?: string;
  readonly descriptionKind?: DescriptionKind;
}

/** Attributes inside an attribute: an object, or a collection of such objects. */
export interface NestedAttributes {
  readonly nesting: 'single' | 'list' | 'set' | 'map';
  readonly attributes: Readonly<Record<string, AttributeSchema>>;
}

/** A block type inside a block. `group` is `single` that is never null: absent means all its arguments absent. */
export interface NestedBlock {
  readonly nesting: 'single' | 'group' | 'list' | 'set' | 'map';
  readonly block: BlockSchema;
  /** minimum number of blocks; for `single`, 1 makes it required */
  readonly minItems?: number;
  /** highest number of blocks; 0 or absent: no limit */
  readonly maxItems?: number;
}

/** All schemas of a provider. */
export interface ProviderSchema {
  readonly provider: Schema;
  readonly providerMeta?: Schema;
  readonly resources: Readonly<Record<string, Schema>>;
  readonly dataSources: Readonly<Record<string, Schema>>;
  readonly ephemeralResources: Readonly<Record<string, Schema>>;
  readonly functions: Readonly<Record<string, FunctionSignature>>;
  /** schemas of the `config` blocks of actions, by action type; versions are not used */
  readonly actions?: Readonly<Record<string, Schema>>;
  /** schemas of queries for objects of resource types, by type name */
  readonly listResources?: Readonly<Record<string, Schema>>;
  /** configuration schemas of state stores, by type name */
  readonly stateStores?: Readonly<Record<string, Schema>>;
  /** identity schemas of resource types, by type name */
  readonly identities?: Readonly<Record<string, Schema>>;
  readonly capabilities: ProviderCapabilities;
}

/** Optional abilities that a provider announces. */
export interface ProviderCapabilities {
  /** true if the provider plans destroys */
  readonly planDestroy?: boolean;
  readonly moveResourceState?: boolean;
  /** true if it may be used before its schema was requested in this process */
  readonly getProviderSchemaOptional?: boolean;
  /** true if it generates the configuration of an imported object itself */
  readonly generateResourceConfig?: boolean;
}

/** The signature of a function that a provider contributes. */
export interface FunctionSignature {
  readonly summary?: string;
  readonly description?: string;
  readonly parameters: readonly FunctionParameter[];
  readonly variadic?: FunctionParameter;
  readonly returns: Type;
}

/** Schema of a parameter of a provider function. */
export interface FunctionParameter {
  readonly name: string;
  readonly type: Type;
  readonly allowNull?: boolean;
  readonly allowUnknown?: boolean;
  readonly description?: string;
}
