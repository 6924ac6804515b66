import { BOOL, compareText, convert, CtyError, DYNAMIC, NUMBER, type Value } from '@terrane/cty';
import {
  type Body,
  type Diagnostic,
  errorDiagnostic,
  evaluate,
  hasErrors,
  overrideBody,
  type TraversalStep,
  variables,
  warningDiagnostic,
} from '@terrane/hcl';
import { attributeByPath, type BlockSchema, type ProviderSchema } from '@terrane/provider';
import { attrStep, formatPath, indexStep, type Path } from '@terrane/cty';
import { didYouMean } from '../../lang/did-you-mean.ts';
import { referencesInExpression } from '../../lang/references.ts';
import type { Module, Provisioner, Resource } from '../model.ts';
import { checkTriggers } from './check-actions.ts';
import {
  checkBlock,
  checkDependsOn,
  checkExpression,
  checkRepetition,
  checkResourceRule,
} from './check-evaluation.ts';
import { NOT_REPEATED, type CheckContext, type CheckScope } from './check-scope.ts';
import type { CheckSettings, CheckVisitor, FollowUp } from './check-visitor.ts';
import {
  CONNECTION_SCHEMA,
  PROVISIONER_SCHEMAS,
  provisionerProblem,
} from './provisioner-schemas.ts';
import { schemaTraversalProblems } from './schema-traversal.ts';

/** Creates the scope of expressions in a resource block. */
export type ScopeMaker = (context: CheckContext) => CheckScope;

/** Validates all parts of a resource block that do not depend on values. */
export function checkResource(
  module: Module,
  resource: Resource,
  settings: CheckSettings,
  scopeIn: ScopeMaker,
  diagnostics: Diagnostic[],
): FollowUp | undefined {
  const { schemas, visitor = {} } = settings;
  const outerContext: CheckContext =
    resource.check === undefined ? NOT_REPEATED : { ...NOT_REPEATED, check: resource.check };
  const outer = scopeIn(outerContext);
  const providerSchema = schemas.provider(resource.provider);
  if (providerSchema === undefined) return;
  const { mode, type } = resource.addr;
  const schema = schemas.resource(resource.provider, mode, type);
  if (!resource.hasMetaArguments) {
    if (schema === undefined) {
      diagnostics.push(unsupportedType(resource, providerSchema));
      return;
    }
    const before = diagnostics.length;
    const value = checkBlock(resource.body, schema.block, outer, diagnostics);
    if (hasErrors(diagnostics, before)) return;
    return (problems) => visitor.resource?.({ module, resource, schema, value }, problems);
  }
  checkRepetition(resource, outer, visitor, diagnostics);
  checkDependsOn(resource.dependsOn, outer, diagnostics);
  const repetition = { count: resource.count !== undefined, each: resource.forEach !== undefined };
  const isRepeated = repetition.count || repetition.each;
  const context = isRepeated ? { ...outerContext, repetition } : outerContext;
  const inner = isRepeated ? scopeIn(context) : outer;
  const { key } = resource.providerLocal;
  if (key !== undefined) checkExpression(key, DYNAMIC, inner, diagnostics);
  let value: Value | undefined;
  if (schema === undefined) diagnostics.push(unsupportedType(resource, providerSchema));
  else {
    const before = diagnostics.length;
    const bodyValue = checkBlock(resource.body, schema.block, inner, diagnostics);
    if (!hasErrors(diagnostics, before)) {
      const arguments_ = diagnostics.length;
      checkIgnoreChanges(resource, schema.block, diagnostics);
      checkListArguments(resource, outer, visitor, diagnostics);
      if (!hasErrors(diagnostics, arguments_)) value = bodyValue;
    }
  }
  checkPreventDestroy(resource, outer, diagnostics);
  checkConditions(resource, context, scopeIn, diagnostics);
  const checked = diagnostics.length;
  for (const provisioner of resource.provisioners) {
    const withSelf = scopeIn({ ...context, self: resource.addr });
    checkProvisioner(provisioner, resource.connection, withSelf, diagnostics);
    if (hasErrors(diagnostics, checked)) break;
  }
  return (problems) => {
    const visited =
      schema === undefined || value === undefined
        ? undefined
        : visitor.resource?.({ module, resource, schema, value }, problems);
    if (resource.actionTriggers.length === 0) return visited;
    return Promise.resolve(visited).then(() =>
      checkTriggers(module, resource, settings, scopeIn, problems),
    );
  };
}

function checkListArguments(
  { list }: Resource,
  scope: CheckScope,
  visitor: CheckVisitor,
  diagnostics: Diagnostic[],
): void {
  if (list === undefined) return;
  const { limit, includeResource } = list;
  for (const [name, expression] of [
    ['limit', limit],
    ['include_resource', includeResource],
  ] as const) {
    if (expression === undefined) continue;
    const before = diagnostics.length;
    const value = checkExpression(expression, name === 'limit' ? NUMBER : BOOL, scope, diagnostics);
    if (hasErrors(diagnostics, before)) return;
    visitor.listArgument?.(name, value, expression, scope, diagnostics);
  }
}

/** Validates `prevent_destroy`: an expression without references now, others when an object is to be destroyed. */
function checkPreventDestroy(
  { addr, preventDestroyExpression: expression }: Resource,
  scope: CheckScope,
  diagnostics: Diagnostic[],
): void {
  if (expression === undefined) return;
  if (variables(expression).length > 0) {
    const { references } = referencesInExpression(expression);
    for (const reference of references) {
      const { kind } = reference.subject;
      if (kind === 'each' || kind === 'count') continue;
      const problems = scope.staticProblems(reference);
      diagnostics.push(...(problems.length > 0 ? problems : scope.valueProblems(reference)));
    }
    return;
  }
  const value = evaluate(expression, scope, diagnostics);
  try {
    convert(value, BOOL);
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    diagnostics.push(
      errorDiagnostic(
        'Invalid value for prevent_destroy',
        `Resource instance ${addr.text} has an invalid value for its prevent_destroy argument: ${error.message}.`,
        expression.range,
      ),
    );
  }
}

function checkConditions(
  resource: Resource,
  context: CheckContext,
  scopeIn: ScopeMaker,
  diagnostics: Diagnostic[],
): void {
  if (resource.preconditions.length + resource.postconditions.length === 0) return;
  const inner = scopeIn(context);
  for (const rule of resource.preconditions) checkResourceRule(rule, inner, diagnostics);
  const withSelf = scopeIn({ ...context, self: resource.addr });
  for (const rule of resource.postconditions) checkResourceRule(rule, withSelf, diagnostics);
}

function unsupportedType(resource: Resource, provider: ProviderSchema): Diagnostic {
  const { mode, type } = resource.addr;
  const display = resource.provider.display;
  const has = (types: Readonly<Record<string, unknown>>): boolean => Object.hasOwn(types, type);
  const suggestion = (types: Readonly<Record<string, unknown>>): string =>
    didYouMean(type, Object.keys(types).sort(compareText));
  switch (mode) {
    case 'managed': {
      const hint = has(provider.dataSources)
        ? `\n\nDid you intend to use the data source "${type}"? If so, declare this using a "data" block instead of a "resource" block.`
        : suggestion(provider.resources);
      return errorDiagnostic(
        'Invalid resource type',
        `The provider ${display} does not support resource type "${type}".${hint}`,
        resource.typeRange,
      );
    }
    case 'data': {
      const hint = has(provider.resources)
        ? `\n\nDid you intend to use the managed resource type "${type}"? If so, declare this using a "resource" block instead of a "data" block.`
        : suggestion(provider.dataSources);
      return errorDiagnostic(
        'Invalid data source',
        `The provider ${display} does not support data source "${type}".${hint}`,
        resource.typeRange,
      );
    }
    case 'ephemeral':
      return errorDiagnostic(
        'Invalid ephemeral resource',
        `The provider ${display} does not support ephemeral resource "${type}".`,
        resource.typeRange,
      );
    case 'list':
      return errorDiagnostic(
        'Invalid list resource',
        `The provider ${display} does not support list resource "${type}".`,
        resource.typeRange,
      );
  }
}

function checkIgnoreChanges(
  resource: Resource,
  block: BlockSchema,
  diagnostics: Diagnostic[],
): void {
  for (const { steps } of resource.ignoreChanges) {
    const problems = schemaTraversalProblems(block, steps);
    diagnostics.push(...problems);
    if (hasErrors(diagnostics)) continue;
    const path = pathOf(steps);
    const attribute = attributeByPath(block, path);
    if (attribute === undefined || attribute.optional === true || attribute.computed !== true) {
      continue;
    }
    const attributePath = formatPath(path).replace(/^\./, '');
    diagnostics.push(
      warningDiagnostic(
        'Redundant ignore_changes element',
        `Adding an attribute name to ignore_changes tells Terraform to ignore future changes to the argument in configuration after the object has been created, retaining the value originally configured.\n\nThe attribute ${attributePath} is decided by the provider alone and therefore there can be no configured value to compare with. Including this attribute in ignore_changes has no effect. Remove the attribute from ignore_changes to quiet this warning.`,
        resource.typeRange,
      ),
    );
  }
}

/** A relative traversal as a path. */
export function pathOf(steps: readonly TraversalStep[]): Path {
  return steps.flatMap((step) => {
    if (step.kind === 'index') return [indexStep(step.key)];
    return step.kind === 'splat' ? [] : [attrStep(step.name)];
  });
}

function checkProvisioner(
  provisioner: Provisioner,
  resourceConnection: Body | undefined,
  scope: CheckScope,
  diagnostics: Diagnostic[],
): void {
  const schema = PROVISIONER_SCHEMAS.get(provisioner.type);
  if (schema === undefined) return;
  const config = checkBlock(provisioner.body, schema, scope, diagnostics);
  const { connection } = provisioner;
  const merged =
    connection !== undefined && resourceConnection !== undefined
      ? overrideBody(resourceConnection, connection)
      : (connection ?? resourceConnection);
  if (merged !== undefined) checkBlock(merged, CONNECTION_SCHEMA, scope, diagnostics);
  const problem = provisionerProblem(provisioner.type, config.unmarkDeep().value);
  if (problem !== undefined) diagnostics.push(problem);
}
