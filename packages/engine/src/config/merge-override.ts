import { convert, CtyError } from '@terrane/cty';
import { errorDiagnostic, overrideBody, type Diagnostic, type Traversal } from '@terrane/hcl';
import type { DecodedAction } from './decode-action.ts';
import type { DecodedModuleCall } from './decode-module-call.ts';
import type { DecodedOutput, DecodedVariable } from './decode-named-values.ts';
import type { DecodedResource } from './decode-resource.ts';
import type { ProviderBlock } from './model.ts';

// Override files replace arguments of the primary files one by one (module_merge.go).

/** A provider block with the arguments of its override. */
export function mergeProvider(base: ProviderBlock, override: ProviderBlock): ProviderBlock {
  const { version, versionRange, forEach } = override;
  return {
    ...base,
    ...(forEach === undefined ? {} : { forEach }),
    ...(version === undefined || versionRange === undefined ? {} : { version, versionRange }),
    body: overrideBody(base.body, override.body),
  };
}

/** Merges an override into a variable. Converts the default to the type again. */
export function mergeVariable(
  base: DecodedVariable,
  override: DecodedVariable,
  diagnostics: Diagnostic[],
): void {
  if (override.description !== undefined) base.description = override.description;
  if (override.sensitive !== undefined) base.sensitive = override.sensitive;
  if (override.ephemeral !== undefined) base.ephemeral = override.ephemeral;
  if (override.default !== undefined) base.default = override.default;
  if (override.type !== undefined) base.type = override.type;
  if (override.constraint !== undefined) base.constraint = override.constraint;
  if (override.parsing !== undefined) base.parsing = override.parsing;
  if (override.nullable !== undefined) base.nullable = override.nullable;
  mergeDeprecation(base, override);
  if (override.const !== undefined) base.const = override.const;
  if (base.default === undefined || base.constraint === undefined) return;
  const summary = 'Invalid default value for variable';
  try {
    base.default = convert(base.default, base.constraint);
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    let reason = "This variable's default value is not compatible with its type constraint";
    if (override.type !== undefined && override.default === undefined) {
      reason = "Overriding this variable's type constraint has made its default value invalid";
    } else if (override.type === undefined && override.default !== undefined) {
      reason =
        "The overridden default value for this variable is not compatible with the variable's type constraint";
    }
    diagnostics.push(errorDiagnostic(summary, `${reason}: ${error.message}.`, override.range));
  }
  if (base.nullable === false && base.default.isNull) {
    diagnostics.push(
      errorDiagnostic(
        summary,
        'A null default value is not valid when nullable=false.',
        override.range,
      ),
    );
  }
}

function mergeDeprecation(
  base: Pick<DecodedOutput, 'deprecated' | 'deprecatedRange'>,
  override: Pick<DecodedOutput, 'deprecated' | 'deprecatedRange'>,
): void {
  if (override.deprecated === undefined || override.deprecatedRange === undefined) return;
  base.deprecated = override.deprecated;
  base.deprecatedRange = override.deprecatedRange;
}

/** Merges an override into an output. */
export function mergeOutput(
  base: DecodedOutput,
  override: DecodedOutput,
  diagnostics: Diagnostic[],
): void {
  if (override.description !== undefined && override.description !== '') {
    base.description = override.description;
  }
  if (override.expression !== undefined) base.expression = override.expression;
  if (override.sensitive !== undefined) base.sensitive = override.sensitive;
  if (override.ephemeral !== undefined) base.ephemeral = override.ephemeral;
  if (override.constraint !== undefined) {
    base.constraint = override.constraint;
    if (override.defaults === undefined) delete base.defaults;
    else base.defaults = override.defaults;
  }
  mergeDeprecation(base, override);
  refuseDependsOn(override.dependsOn, diagnostics);
}

/** Merges an override into a module call. */
export function mergeModuleCall(
  base: DecodedModuleCall,
  override: DecodedModuleCall,
  diagnostics: Diagnostic[],
): void {
  if (override.sourceRange !== undefined) {
    base.sourceRange = override.sourceRange;
    base.sourceText = override.sourceText ?? '';
    if (override.source === undefined) delete base.source;
    else base.source = override.source;
    if (override.sourceConstant === undefined) delete base.sourceConstant;
    else base.sourceConstant = override.sourceConstant;
  }
  if (override.count !== undefined) base.count = override.count;
  if (override.forEach !== undefined) base.forEach = override.forEach;
  if (override.enabled !== undefined) base.enabled = override.enabled;
  if (override.ignoreNestedDeprecations !== undefined) {
    base.ignoreNestedDeprecations = override.ignoreNestedDeprecations;
  }
  if (override.version !== undefined || override.versionConstant !== undefined) {
    if (override.version === undefined) delete base.version;
    else base.version = override.version;
    if (override.versionConstant === undefined) delete base.versionConstant;
    else base.versionConstant = override.versionConstant;
    if (override.versionRange !== undefined) base.versionRange = override.versionRange;
  }
  base.body = overrideBody(base.body, override.body);
  if (override.providers !== undefined && override.providers.length > 0) {
    base.providers = override.providers;
  }
  refuseDependsOn(override.dependsOn, diagnostics);
}

/** Merges an override into a resource. */
export function mergeResource(
  base: DecodedResource,
  override: DecodedResource,
  diagnostics: Diagnostic[],
): void {
  if (override.count !== undefined) base.count = override.count;
  if (override.forEach !== undefined) base.forEach = override.forEach;
  if (override.enabled !== undefined) base.enabled = override.enabled;
  if (override.providerRef !== undefined) base.providerRef = override.providerRef;
  if (override.connection !== undefined) base.connection = override.connection;
  if (override.createBeforeDestroy !== undefined) {
    base.createBeforeDestroy = override.createBeforeDestroy;
  }
  if (override.preventDestroy !== undefined) {
    base.preventDestroy = override.preventDestroy;
    delete base.preventDestroyExpression;
  }
  if (override.preventDestroyExpression !== undefined) {
    base.preventDestroyExpression = override.preventDestroyExpression;
    delete base.preventDestroy;
  }
  if (override.destroy !== undefined) base.destroy = override.destroy;
  if (override.ignoreChanges.length > 0) base.ignoreChanges = override.ignoreChanges;
  if (override.ignoreAllChanges) base.ignoreAllChanges = true;
  if (override.provisioners.length > 0) base.provisioners = override.provisioners;
  if (override.actionTriggers.length > 0) base.actionTriggers = override.actionTriggers;
  base.body = overrideBody(base.body, override.body);
  refuseDependsOn(override.dependsOn, diagnostics);
}

/** Merges an override into an action. */
export function mergeAction(base: DecodedAction, override: DecodedAction): void {
  if (override.count !== undefined) base.count = override.count;
  if (override.forEach !== undefined) base.forEach = override.forEach;
  if (override.providerRef !== undefined) base.providerRef = override.providerRef;
  if (override.config === undefined) return;
  base.config =
    base.config === undefined ? override.config : overrideBody(base.config, override.config);
}

function refuseDependsOn(dependsOn: readonly Traversal[], diagnostics: Diagnostic[]): void {
  const first = dependsOn[0];
  if (first === undefined) return;
  diagnostics.push(
    errorDiagnostic(
      'Unsupported override',
      'The depends_on argument may not be overridden.',
      first.range,
    ),
  );
}
