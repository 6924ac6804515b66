import { DYNAMIC, NUMBER, STRING, unknownOf } from '@terrane/cty';
import {
  type Body,
  type Diagnostic,
  EMPTY_BODY,
  errorDiagnostic,
  hasErrors,
  warningDiagnostic,
} from '@terrane/hcl';
import type { BlockSchema } from '@terrane/provider';
import { didYouMean } from '../../lang/did-you-mean.ts';
import { referencesInExpression } from '../../lang/references.ts';
import { referencesOfAction } from '../action-needs.ts';
import { actionKeyProblem, namedAction, type ReferenceKeys } from '../action-reference.ts';
import { actionSchemaOf } from '../action-schema.ts';
import type {
  ActionBlock,
  ActionTrigger,
  Configuration,
  Module,
  Resource,
  Schemas,
} from '../model.ts';
import { checkBlock, checkExpression, checkRepetition } from './check-evaluation.ts';
import { type CheckContext, type CheckScope, NOT_REPEATED } from './check-scope.ts';
import { type CheckSettings, evaluateChecks, type FollowUp } from './check-visitor.ts';

/** Returns errors for triggers with undeclared actions. */
export function missingActions(configuration: Configuration): readonly Diagnostic[] {
  const problems: Diagnostic[] = [];
  for (const { path, resources, actions } of configuration.modules.values()) {
    for (const { actionTriggers, range } of resources.values()) {
      if (actionTriggers.length === 0) continue;
      for (const { action, expression } of actionTriggers.flatMap((trigger) => trigger.actions)) {
        if (actions.has(action.text)) continue;
        const names = Array.from(actions.values(), ({ addr }) => addr.inModule(path)).sort();
        const named = action.inModule(path);
        problems.push(
          errorDiagnostic(
            'action_trigger actions references non-existent action',
            `The lifecycle action_trigger actions list contains a reference to the action "${named}" that does not exist in the configuration of this module.${didYouMean(named, names)}`,
            expression.range,
            { context: range },
          ),
        );
      }
    }
  }
  return problems;
}

/** Errors for actions of types that their providers do not have. */
export function unsupportedActions(
  configuration: Configuration,
  schemas: Schemas,
): readonly Diagnostic[] {
  const problems: Diagnostic[] = [];
  for (const { path, actions } of configuration.modules.values()) {
    for (const action of actions.values()) {
      const { provider, addr } = action;
      if (schemas.provider(provider) === undefined) continue;
      if (actionSchemaOf(schemas, action) !== undefined) continue;
      problems.push(
        errorDiagnostic(
          `failed to read schema for ${addr.inModule(path)} in ${provider.text}: provider ${provider.text} does not have an action schema for ${addr.type}`,
          '',
          action.typeRange,
        ),
      );
    }
  }
  return problems;
}

/** Returns the actions of a module that no resource triggers: they are validated separately. */
export function standaloneActions({ actions, resources }: Module): readonly ActionBlock[] {
  if (actions.size === 0) return [];
  const triggered = new Set<string>();
  for (const { actionTriggers } of resources.values()) {
    for (const { action } of actionTriggers.flatMap((trigger) => trigger.actions))
      triggered.add(action.text);
  }
  return [...actions.values()].filter(({ addr }) => !triggered.has(addr.text));
}

/** Creates the scope of expressions of a module. */
type ScopeMaker = (context: CheckContext) => CheckScope;

/** Checks the triggers of a resource and the actions that they invoke, as the resource sees them. */
export async function checkTriggers(
  module: Module,
  resource: Resource,
  settings: CheckSettings,
  scopeIn: ScopeMaker,
  diagnostics: Diagnostic[],
): Promise<void> {
  const { schemas } = settings;
  const problems: Diagnostic[] = [];
  const actions = new Set<ActionBlock>();
  const keys: ReferenceKeys = {
    ...(resource.count === undefined ? {} : { countIndex: unknownOf(NUMBER) }),
    ...(resource.forEach === undefined ? {} : { eachKey: unknownOf(STRING) }),
  };
  const context: CheckContext = {
    repetition: { count: resource.count !== undefined, each: resource.forEach !== undefined },
    self: resource.addr,
  };
  for (const trigger of resource.actionTriggers) {
    problems.push(...conditionProblems(resource, trigger));
    const { condition } = trigger;
    if (condition !== undefined && !hasErrors(problems)) {
      await evaluateChecks(settings, problems, (pass) =>
        checkExpression(condition, DYNAMIC, scopeIn(context), pass.diagnostics),
      );
    }
    for (const { expression, action: addr } of trigger.actions) {
      const action = module.actions.get(addr.text);
      if (action === undefined) continue;
      actions.add(action);
      const named = namedAction(expression, keys, problems);
      if (named === undefined || hasErrors(problems)) continue;
      const problem = actionKeyProblem(action, named.key, expression.range);
      if (problem !== undefined) problems.push(problem);
      problems.push(...triggeringReferences(resource, action, schemas));
    }
  }
  diagnostics.push(...problems);
  for (const action of actions) {
    const followUp = await evaluateChecks(settings, diagnostics, (pass) =>
      checkAction(module, action, resource, settings, scopeIn, pass.diagnostics),
    );
    await followUp?.(diagnostics);
  }
}

function conditionProblems(resource: Resource, trigger: ActionTrigger): readonly Diagnostic[] {
  const { condition, events } = trigger;
  if (condition === undefined) return [];
  const problems: Diagnostic[] = [];
  const { references } = referencesInExpression(condition);
  const hasSelf = references.some(({ subject: { kind } }) => kind === 'self' || kind === 'caller');
  for (const event of events) {
    if (event === 'before_create' && hasSelf) {
      problems.push(
        errorDiagnostic(
          'Reference to self in before_create condition',
          'Computed attributes from self may not be known before the resource is created.',
          condition.range,
        ),
      );
      break;
    }
    if (event === 'before_destroy' || event === 'after_destroy') {
      problems.push(
        errorDiagnostic(
          'Condition on destroy action',
          'Condition expression may not be used with a destroy action.',
          condition.range,
        ),
      );
    }
  }
  for (const { subject, range } of references) {
    if (subject.kind !== 'resource' || subject.resource !== resource.addr) continue;
    const detail = `Configuration for ${resource.addr.text} may not refer to itself.`;
    problems.push(errorDiagnostic('Self-referential block', detail, range));
  }
  return problems;
}

/** Warnings for actions that name the resource that triggers them. */
function triggeringReferences(
  resource: Resource,
  action: ActionBlock,
  schemas: Schemas,
): readonly Diagnostic[] {
  return referencesOfAction(action, schemas)
    .filter(
      ({ subject, traversal, consumed }) =>
        subject.kind === 'resource' &&
        subject.resource === resource.addr &&
        (subject.hasKey || traversal.steps.length > consumed),
    )
    .map(({ range }) =>
      warningDiagnostic(
        'Reference to triggering resource',
        'The triggering resource object can be accessed via the "caller" symbol to avoid unexpected graph cycles.',
        range,
      ),
    );
}

/** Validates an action in the context of a triggering resource, or standalone. */
export function checkAction(
  module: Module,
  action: ActionBlock,
  caller: Resource | undefined,
  { schemas, visitor = {} }: CheckSettings,
  scopeIn: ScopeMaker,
  diagnostics: Diagnostic[],
): FollowUp | undefined {
  const schema = actionSchemaOf(schemas, action);
  if (schema === undefined) return;
  const { count, forEach } = action;
  const repeated = {
    keyOwner: 'an action',
    ...(count === undefined ? {} : { count }),
    ...(forEach === undefined ? {} : { forEach }),
  };
  checkRepetition(repeated, scopeIn(NOT_REPEATED), visitor, diagnostics);
  const inner = scopeIn({
    repetition: { count: action.count !== undefined, each: action.forEach !== undefined },
    self: caller?.addr,
  });
  const problems: Diagnostic[] = [];
  const value = checkConfig(action, schema.block, inner, problems);
  diagnostics.push(...problems);
  if (hasErrors(problems)) return;
  return (reported) => visitor.action?.({ module, action, caller, schema, value }, reported);
}

function checkConfig(
  action: ActionBlock,
  block: BlockSchema,
  scope: CheckScope,
  diagnostics: Diagnostic[],
): ReturnType<typeof checkBlock> {
  const body: Body = action.config ?? EMPTY_BODY;
  const problems: Diagnostic[] = [];
  const value = checkBlock(body, block, scope, problems);
  // Missing arguments of an absent block can only be reported at the action.
  for (const problem of problems)
    diagnostics.push(action.config === undefined ? { ...problem, subject: action.range } : problem);
  return value;
}
