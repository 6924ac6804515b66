import { isOpenTofuFile, type Range } from '@terrane/hcl';
import { OPENTOFU_VERSION, TERRAFORM_VERSION } from '../lang/version.ts';

/**
 * The language that a file is written in: `.tofu`, `.tofutest` and `.tofumock` files are OpenTofu's, all others
 * Terraform's.
 */
export type Dialect = 'terraform' | 'opentofu';

/** Rules that differ between Terraform and OpenTofu. */
export interface DialectRules {
  /**
   * A `removed` block without `lifecycle { destroy = … }` destroys the object; otherwise it forgets it with a warning.
   */
  readonly removedDestroys: boolean;
  /** The ordered actions that replace an object without destroying it (`lifecycle { destroy = false }`). */
  readonly replaceWithoutDestroy: readonly ['create', 'forget'] | readonly ['forget', 'create'];
  /** True if `lifecycle { destroy = false }` is stored in the state, and applies after the block is removed. */
  readonly keepsSkipDestroy: boolean;
  /** `prevent_destroy` may depend on values, and is evaluated when an object would be destroyed. */
  readonly preventDestroyIsDynamic: boolean;
  /** `lifecycle { destroy = … }` is converted to a bool, such as from `"false"`. */
  readonly convertsDestroy: boolean;
  /** `deprecated = ""` is allowed. */
  readonly deprecatedMayBeEmpty: boolean;
  /** An output of the root module may be deprecated, without effect. */
  readonly rootOutputMayBeDeprecated: boolean;
  /** True if adding or removing `count` on a module call keeps the first instance, as on a resource. */
  readonly impliesModuleMoves: boolean;
  /** A variable with `const = true` may be neither sensitive nor ephemeral. */
  readonly constRefusesSecrets: boolean;
  /** Mock and override values are known in plans, unless `override_during` specifies otherwise. */
  readonly mocksArePlanned: boolean;
  /** Overrides of tests apply to objects of earlier runs too. */
  readonly overridesExistingObjects: boolean;
  /** Test files may refer to variables that only have a default in the configuration. */
  readonly testsSeeDefaults: boolean;
  /** True if keys in the `to` of an `import` block may contain any references, not only `each`. */
  readonly importKeysAreExpressions: boolean;
  /** Failed assertions report differences for values of every kind, and in JSON. */
  readonly showsComparisons: boolean;
  /** True if attributes of an object constructor that are not in the type of the variable cause a warning. */
  readonly warnsOfIgnoredAttributes: boolean;
  /** The version that `required_version` in this file is held against. */
  readonly version: string;
}

/**
 * The semantic differences between the two languages; docs/differences.md contains the same table for users. A feature
 * that only one language has is supported in both, and has no row.
 */
export const DIALECT_RULES: Readonly<Record<Dialect, DialectRules>> = {
  terraform: {
    removedDestroys: true,
    replaceWithoutDestroy: ['create', 'forget'],
    keepsSkipDestroy: false,
    preventDestroyIsDynamic: false,
    rootOutputMayBeDeprecated: false,
    impliesModuleMoves: false,
    convertsDestroy: true,
    deprecatedMayBeEmpty: true,
    constRefusesSecrets: true,
    mocksArePlanned: false,
    overridesExistingObjects: false,
    testsSeeDefaults: false,
    importKeysAreExpressions: false,
    showsComparisons: false,
    warnsOfIgnoredAttributes: false,
    version: TERRAFORM_VERSION,
  },
  opentofu: {
    removedDestroys: false,
    replaceWithoutDestroy: ['forget', 'create'],
    keepsSkipDestroy: true,
    preventDestroyIsDynamic: true,
    rootOutputMayBeDeprecated: true,
    impliesModuleMoves: true,
    convertsDestroy: false,
    deprecatedMayBeEmpty: false,
    constRefusesSecrets: false,
    mocksArePlanned: true,
    overridesExistingObjects: true,
    testsSeeDefaults: true,
    importKeysAreExpressions: true,
    showsComparisons: true,
    warnsOfIgnoredAttributes: true,
    version: OPENTOFU_VERSION,
  },
};

/** Returns the language of the file that contains a range. */
export function dialectOf(range: Range): Dialect {
  return isOpenTofuFile(range.filename) ? 'opentofu' : 'terraform';
}

/** Returns the dialect rules of a source range. */
export function dialectRules(range: Range): DialectRules {
  return DIALECT_RULES[dialectOf(range)];
}
