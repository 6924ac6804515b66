import type {
  ActionAddr,
  ModulePath,
  ModuleSource,
  MoveEndpoint,
  ProviderSource,
  ResourceAddr,
  ResourceMode,
} from '@terrane/addresses';
import type { Defaults, Type, Value } from '@terrane/cty';
import type { Body, Diagnostic, Expression, Range, Source, Spec, Traversal } from '@terrane/hcl';
import type { ProviderSchema, Schema } from '@terrane/provider';

/** A complete configuration: the root module and all modules it calls, directly or indirectly. */
export interface Configuration {
  readonly root: Module;
  readonly rootDirectory: string;
  /** every file read, by its name in ranges */
  readonly sources: ReadonlyMap<string, Source>;
  /** every module of the static tree, by `ModulePath.text`; the root's is "" */
  readonly modules: ReadonlyMap<string, Module>;
  /** evaluates constant expressions of the root module, such as backend settings */
  readonly constants?: RootConstants;
}

/** Constants of the root module that need no providers or state. */
export interface RootConstants {
  /** loads the functions that a body calls, directly or through locals; must be awaited before the body is decoded */
  prepare(body: Body, spec: Spec): Promise<void>;
  /** the value of a body by its specification, marks included; unknown, with diagnostics, where it is no constant */
  decodeBody(
    body: Body,
    spec: Spec,
    use: { readonly name: string; readonly range: Range },
    diagnostics: Diagnostic[],
  ): Value;
  /** evaluates an expression; `others` resolves references to non-constants */
  evaluateIn(
    expression: Expression,
    use: { readonly name: string; readonly range: Range },
    diagnostics: Diagnostic[],
    others: (traversal: Traversal) => Value | undefined,
  ): { readonly value: Value };
}

/** The declarations of a module, with all files and overrides merged. */
export interface Module {
  readonly path: ModulePath;
  /** the relative path that source ranges contain: ".", "modules/a" */
  readonly directory: string;
  /** the call in the parent; undefined for the root */
  readonly call: ModuleCall | undefined;
  readonly parent: Module | undefined;
  readonly children: ReadonlyMap<string, Module>;
  readonly variables: ReadonlyMap<string, Variable>;
  readonly locals: ReadonlyMap<string, Local>;
  readonly outputs: ReadonlyMap<string, Output>;
  /** resources of all modes by `ResourceAddr.text`, including data sources in checks */
  readonly resources: ReadonlyMap<string, Resource>;
  /** keys are `ActionAddr.text` */
  readonly actions: ReadonlyMap<string, ActionBlock>;
  readonly calls: ReadonlyMap<string, ModuleCall>;
  /** keys are "name" or "name.alias" */
  readonly providers: ReadonlyMap<string, ProviderBlock>;
  readonly requiredProviders: ReadonlyMap<string, RequiredProvider>;
  readonly requiredVersions: readonly VersionRequirement[];
  /** keys are `ProviderSource.text` */
  readonly providerMetas: ReadonlyMap<string, ProviderMetaBlock>;
  readonly checks: ReadonlyMap<string, Check>;
  readonly moved: readonly Moved[];
  readonly removed: readonly Removed[];
  readonly imports: readonly Import[];
  readonly backend: BackendBlock | undefined;
  readonly cloud: CloudBlock | undefined;
  readonly encryption: EncryptionBlock | undefined;
  /** returns the source of a local provider name: from `required_providers`, otherwise implied */
  providerSource(localName: string): ProviderSource;
}

/** `required_version`, as written. */
export interface VersionRequirement {
  readonly text: string;
  /** the range of the whole argument */
  readonly range: Range;
  /** the dialect of the version constraint, if the file does not imply it */
  readonly dialect?: 'opentofu';
}

/** `provider_meta` block of a `terraform` block. */
export interface ProviderMetaBlock {
  readonly body: Body;
  readonly nameRange: Range;
}

/** The shape of an `encryption` block of a `terraform` block; the content of its blocks is evaluated on use. */
export interface EncryptionBlock {
  readonly keyProviders: readonly {
    readonly type: string;
    readonly name: string;
    /** `encrypted_metadata_alias` */
    readonly alias: string | undefined;
    /** the body without that argument */
    readonly body: Body;
  }[];
  readonly methods: readonly {
    readonly type: string;
    readonly name: string;
    readonly body: Body;
  }[];
  readonly state?: EncryptionTarget | undefined;
  readonly plan?: EncryptionTarget | undefined;
  /** the default of `remote_state_data_sources` */
  readonly remoteDefault?: EncryptionTarget | undefined;
  readonly remotes: ReadonlyMap<string, EncryptionTarget>;
  readonly range: Range;
}

/** A target such as `state` or `plan` in an `encryption` block. */
export interface EncryptionTarget {
  readonly method: Expression | undefined;
  /** the range for a missing method */
  readonly range: Range;
  readonly enforced: boolean;
  readonly fallback: EncryptionTarget | undefined;
}

/** `backend` block of a `terraform` block. */
export interface BackendBlock {
  readonly type: string;
  readonly body: Body;
  readonly range: Range;
  readonly typeRange: Range;
}

/** `cloud` block of a `terraform` block. */
export interface CloudBlock {
  readonly body: Body;
  readonly range: Range;
}

/** An input variable. */
export interface Variable {
  readonly name: string;
  readonly description?: string;
  /** the type of final values: the constraint without optional attributes */
  readonly type: Type;
  /** the type that values are converted to, with optional attributes */
  readonly constraint: Type;
  /** values of optional attributes */
  readonly defaults?: Defaults;
  /** converted; absent: the variable is required */
  readonly default?: Value;
  readonly sensitive: boolean;
  readonly ephemeral: boolean;
  readonly nullable: boolean;
  /** true: required while loading; false: must not be used while loading; undefined: may be used */
  readonly const?: boolean;
  readonly validations: readonly CheckRule[];
  /** the parsing mode of input text */
  readonly parsing: 'literal' | 'hcl';
  /** the deprecation message for callers that set it */
  readonly deprecated?: string;
  /** the argument `deprecated` */
  readonly deprecatedRange?: Range;
  /** the block's header */
  readonly range: Range;
}

/** An entry of a `locals` block. */
export interface Local {
  readonly name: string;
  readonly expression: Expression;
  readonly range: Range;
}

/** An output value. */
export interface Output {
  readonly name: string;
  readonly description?: string;
  readonly expression: Expression;
  readonly sensitive: boolean;
  readonly ephemeral: boolean;
  readonly dependsOn: readonly Traversal[];
  readonly preconditions: readonly CheckRule[];
  /** the type that the value is converted to, with optional attributes; absent for any type */
  readonly constraint?: Type;
  /** values of optional attributes */
  readonly defaults?: Defaults;
  /** the deprecation message for references in the calling module */
  readonly deprecated?: string;
  /** the argument `deprecated` */
  readonly deprecatedRange?: Range;
  readonly range: Range;
}

/** `validation`, `precondition`, `postcondition` or `assert`. */
export interface CheckRule {
  readonly condition: Expression;
  readonly errorMessage: Expression;
  readonly range: Range;
}

/** A provider configuration as a module names it. */
export interface LocalProviderRef {
  readonly name: string;
  readonly alias?: string;
}

/** A reference to a provider configuration in an expression. */
export interface ProviderRef extends LocalProviderRef {
  readonly nameRange: Range;
  /** the instance key of a configuration with `for_each` */
  readonly key?: Expression;
}

/** A `resource`, `data` or `ephemeral` block. */
export interface Resource {
  readonly addr: ResourceAddr;
  /** the body without meta-arguments */
  readonly body: Body;
  /**
   * true if the block has more that is checked or connected than its body and its provider: conditions, repetition,
   * `depends_on`, provisioners and the like. Most blocks do not, and stages skip all of it for them
   */
  readonly hasMetaArguments: boolean;
  readonly count?: Expression;
  readonly forEach?: Expression;
  readonly dependsOn: readonly Traversal[];
  readonly providerLocal: LocalProviderRef & {
    readonly explicit: boolean;
    readonly range?: Range;
    /** the instance key of a configuration with `for_each` */
    readonly key?: Expression;
  };
  readonly provider: ProviderSource;
  readonly preconditions: readonly CheckRule[];
  readonly postconditions: readonly CheckRule[];
  readonly createBeforeDestroy?: boolean;
  readonly preventDestroy: boolean;
  /** in OpenTofu's files, where it may depend on values; `preventDestroy` is false then */
  readonly preventDestroyExpression?: Expression;
  /** relative: the first step is an attribute */
  readonly ignoreChanges: readonly Traversal[];
  readonly ignoreAllChanges: boolean;
  readonly replaceTriggeredBy: readonly Expression[];
  /** the condition of having an instance; excludes `count` and `forEach` */
  readonly enabled?: Expression;
  /** false: objects are forgotten instead of destroyed */
  readonly destroy?: boolean;
  readonly actionTriggers: readonly ActionTrigger[];
  readonly provisioners: readonly Provisioner[];
  readonly connection?: Body;
  /** name of the check block that holds this data source */
  readonly check?: string;
  /** the arguments of a `list` block */
  readonly list?: ListArguments;
  /** the block's header */
  readonly range: Range;
  /** the type label */
  readonly typeRange: Range;
}

/** Arguments of a `list` block that are not the provider's. */
export interface ListArguments {
  readonly limit?: Expression;
  readonly includeResource?: Expression;
}

/** A lifecycle event of a resource instance that can trigger actions. */
export type ActionEvent =
  | 'before_create'
  | 'after_create'
  | 'before_update'
  | 'after_update'
  | 'before_destroy'
  | 'after_destroy';

/** An `action_trigger` block: the actions that are invoked by events of a managed resource. */
export interface ActionTrigger {
  readonly events: readonly ActionEvent[];
  readonly condition?: Expression;
  readonly actions: readonly ActionReference[];
  /** the effect of a failed action on the resource; `taint` applies only after creation */
  readonly onFailure: 'halt' | 'taint' | 'continue';
  readonly range: Range;
}

/** An element of `actions`: an action of the same module, optionally one instance of it. */
export interface ActionReference {
  readonly expression: Expression;
  readonly action: ActionAddr;
}

/** An `action` block. */
export interface ActionBlock {
  readonly addr: ActionAddr;
  /** the whole block */
  readonly block: Body;
  /** the `config` block, if present */
  readonly config?: Body;
  readonly count?: Expression;
  readonly forEach?: Expression;
  readonly providerLocal: LocalProviderRef & { readonly explicit: boolean; readonly range?: Range };
  readonly provider: ProviderSource;
  /** the block's header */
  readonly range: Range;
  /** the type label */
  readonly typeRange: Range;
}

/** A `provisioner` block. */
export interface Provisioner {
  readonly type: string;
  readonly body: Body;
  readonly when: 'create' | 'destroy';
  readonly onFailure: 'fail' | 'continue';
  readonly connection?: Body;
  readonly range: Range;
  readonly typeRange: Range;
}

/** A `module` block. */
export interface ModuleCall {
  readonly name: string;
  /** the source as written or evaluated */
  readonly sourceText: string;
  readonly sourceRange?: Range;
  /** undefined when the source could not be understood */
  readonly source: ModuleSource | undefined;
  readonly version?: string;
  readonly versionRange?: Range;
  /** arguments only */
  readonly body: Body;
  readonly count?: Expression;
  readonly forEach?: Expression;
  /** the condition of having an instance; excludes `count` and `forEach` */
  readonly enabled?: Expression;
  /** suppresses warnings about deprecated values used inside */
  readonly ignoreNestedDeprecations?: boolean;
  readonly dependsOn: readonly Traversal[];
  /** undefined: no `providers` argument */
  readonly providers: readonly PassedProvider[] | undefined;
  readonly range: Range;
}

/** An entry of a module call's `providers` argument. */
export interface PassedProvider {
  readonly inChild: ProviderRef;
  readonly inParent: ProviderRef;
  readonly range: Range;
}

/** A `provider` block. */
export interface ProviderBlock {
  readonly name: string;
  readonly alias?: string;
  readonly forEach?: Expression;
  /** the `each.value` for each `each.key` of `forEach`, which must be constant */
  readonly instances?: ReadonlyMap<string, Value>;
  readonly body: Body;
  readonly version?: string;
  readonly versionRange?: Range;
  readonly range: Range;
  /** in tests: a mock provider, which needs no configuration */
  readonly mocked?: true;
}

/** An entry of `required_providers`. */
export interface RequiredProvider {
  readonly name: string;
  readonly source: ProviderSource;
  /** the host is written, and not only implied */
  readonly explicitHost: boolean;
  /** the version constraint; "" if there is none */
  readonly constraint: string;
  readonly constraintRange?: Range;
  /** the aliases in `configuration_aliases`, without the provider name */
  readonly aliases: readonly string[];
  readonly range: Range;
}

/** A `check` block. */
export interface Check {
  readonly name: string;
  readonly data?: Resource;
  readonly asserts: readonly CheckRule[];
  readonly range: Range;
}

/** A `moved` block. */
export interface Moved {
  readonly from: MoveEndpoint;
  readonly to: MoveEndpoint;
  readonly range: Range;
  readonly fromRange: Range;
  readonly toRange: Range;
}

/** A `removed` block. */
export interface Removed {
  /** relative to the module that holds the block */
  readonly from: { readonly module: ModulePath; readonly resource?: ResourceAddr };
  readonly destroy: boolean;
  readonly provisioners: readonly Provisioner[];
  readonly connection?: Body;
  readonly range: Range;
  readonly fromRange: Range;
}

/** An `import` block. */
export interface Import {
  /** the address as written; its keys may depend on `each` */
  readonly to: Expression;
  readonly toModule: ModulePath;
  readonly toResource: ResourceAddr;
  readonly id?: Expression;
  readonly identity?: Expression;
  readonly forEach?: Expression;
  readonly providerLocal?: LocalProviderRef;
  readonly provider: ProviderSource;
  readonly range: Range;
  readonly providerRange?: Range;
}

/** The schemas of the providers that a configuration and its state need. */
export interface Schemas {
  provider(source: ProviderSource): ProviderSchema | undefined;
  /** Returns the schema; for `list` blocks, the arguments in a `config` block, and the results in `data`. */
  resource(source: ProviderSource, mode: ResourceMode, type: string): Schema | undefined;
  /** Returns the release of the provider in use; undefined if it has none, such as a provider under development. */
  version?(source: ProviderSource): string | undefined;
}
