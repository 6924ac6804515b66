import type { ResourceAddr, ResourceMode } from '@terrane/addresses';
import { asKeyword, errorDiagnostic, evaluate, hasErrors } from '@terrane/hcl';
import type {
  Attribute,
  Block,
  BodyContent,
  BodySchema,
  Diagnostic,
  Expression,
  Range,
  Traversal,
} from '@terrane/hcl';
import { BOOL, STRING } from '@terrane/cty';
import { referencesInExpression } from '../lang/references.ts';
import { decodeActionTrigger } from './decode-action.ts';
import { checkSelfReferences, decodeCheckRule } from './decode-check-rule.ts';
import { dialectRules } from './dialect.ts';
import { parseJsonReference } from './json-reference.ts';
import type { ActionTrigger, CheckRule } from './model.ts';
import { staticBool, staticList, staticRelativeTraversal } from './static-value.ts';
import { unquoteTraversal } from './static-value.ts';

/** The part of a resource that its `lifecycle` block sets. */
export interface LifecycleTarget {
  readonly addr: ResourceAddr;
  createBeforeDestroy?: boolean;
  preventDestroy?: boolean;
  preventDestroyExpression?: Expression;
  destroy?: boolean;
  enabled?: Expression;
  /** the name of the argument `enabled` */
  enabledName?: Range;
  ignoreChanges: readonly Traversal[];
  ignoreAllChanges: boolean;
  replaceTriggeredBy: readonly Expression[];
  actionTriggers: readonly ActionTrigger[];
  preconditions: readonly CheckRule[];
  postconditions: readonly CheckRule[];
}

const LIFECYCLE_SCHEMA: BodySchema = {
  attributes: [
    { name: 'create_before_destroy' },
    { name: 'prevent_destroy' },
    { name: 'ignore_changes' },
    { name: 'replace_triggered_by' },
    { name: 'destroy', unsuggested: true },
    { name: 'enabled', unsuggested: true },
  ],
  blocks: [
    { type: 'precondition' },
    { type: 'postcondition' },
    { type: 'action_trigger', unsuggested: true },
  ],
};

/** Decodes the `lifecycle` block of a managed resource. */
export function decodeLifecycle(
  block: Block,
  override: boolean,
  into: LifecycleTarget,
  diagnostics: Diagnostic[],
): void {
  const { content, diagnostics: schemaProblems } = block.body.content(LIFECYCLE_SCHEMA);
  diagnostics.push(...schemaProblems);
  const before = content.attributes.get('create_before_destroy');
  if (before !== undefined) {
    into.createBeforeDestroy = staticBool(before.expression, diagnostics) ?? false;
  }
  const prevent = content.attributes.get('prevent_destroy');
  if (prevent !== undefined) {
    if (dialectRules(prevent.range).preventDestroyIsDynamic) {
      into.preventDestroyExpression = prevent.expression;
    } else into.preventDestroy = staticBool(prevent.expression, diagnostics) ?? false;
  }
  const destroy = content.attributes.get('destroy');
  if (destroy !== undefined) into.destroy = decodeDestroy(destroy, diagnostics);
  decodeEnabled(content.attributes.get('enabled'), into);
  const triggers = content.attributes.get('replace_triggered_by');
  if (triggers !== undefined) {
    into.replaceTriggeredBy = decodeReplaceTriggeredBy(triggers.expression, diagnostics);
  }
  const ignore = content.attributes.get('ignore_changes');
  if (ignore !== undefined) decodeIgnoreChanges(ignore, into, diagnostics);
  decodeConditions(content, override, into, diagnostics);
}

/** `enabled`, with where it is named. */
export function decodeEnabled(
  attribute: Attribute | undefined,
  into: Pick<LifecycleTarget, 'enabled' | 'enabledName'>,
): void {
  if (attribute === undefined) return;
  into.enabled = attribute.expression;
  into.enabledName = attribute.nameRange;
}

/** Decodes `destroy`, which OpenTofu does not convert; true if it is invalid. */
function decodeDestroy(attribute: Attribute, diagnostics: Diagnostic[]): boolean {
  const { expression, range } = attribute;
  if (dialectRules(range).convertsDestroy) return staticBool(expression, diagnostics) ?? true;
  const value = evaluate(expression, undefined, []);
  if (value.type === BOOL && value.isKnown && !value.isNull) return value.unmark().asBool();
  diagnostics.push(
    errorDiagnostic(
      'Invalid lifecycle destroy expression',
      'The lifecycle destroy expression must be a boolean constant.',
      expression.range,
    ),
  );
  return true;
}

/** Decodes the `lifecycle` block of a data or ephemeral resource: conditions, and `enabled`. */
export function decodeOtherLifecycle(
  block: Block,
  override: boolean,
  into: LifecycleTarget,
  diagnostics: Diagnostic[],
): void {
  const { content, diagnostics: schemaProblems } = block.body.content(LIFECYCLE_SCHEMA);
  diagnostics.push(...schemaProblems);
  const kind = into.addr.mode === 'data' ? 'data' : 'ephemeral';
  decodeEnabled(content.attributes.get('enabled'), into);
  for (const [name, attribute] of content.attributes) {
    if (name === 'enabled') continue;
    diagnostics.push(
      errorDiagnostic(
        `Invalid ${kind} resource lifecycle argument`,
        `The lifecycle argument "${name}" is defined only for managed resources ("resource" blocks), and is not valid for ${kind} resources.`,
        attribute.nameRange,
      ),
    );
  }
  decodeConditions(content, override, into, diagnostics);
}

function decodeConditions(
  content: BodyContent,
  override: boolean,
  into: LifecycleTarget,
  diagnostics: Diagnostic[],
): void {
  if (content.blocks.length === 0) return;
  const preconditions = [...into.preconditions];
  const postconditions = [...into.postconditions];
  const actionTriggers = [...into.actionTriggers];
  for (const inner of content.blocks) {
    if (inner.type === 'action_trigger') {
      const trigger = decodeTrigger(inner, into.addr.mode, diagnostics);
      if (trigger !== undefined) actionTriggers.push(trigger);
      continue;
    }
    const rule = decodeCheckRule(inner, override, diagnostics);
    checkSelfReferences(rule, inner.type, into.addr, diagnostics);
    if (rule.complete === undefined) continue;
    (inner.type === 'precondition' ? preconditions : postconditions).push(rule.complete);
  }
  into.preconditions = preconditions;
  into.postconditions = postconditions;
  into.actionTriggers = actionTriggers;
}

/** Decodes an `action_trigger` block, which only managed resources have. */
function decodeTrigger(
  block: Block,
  mode: ResourceMode,
  diagnostics: Diagnostic[],
): ActionTrigger | undefined {
  if (mode === 'managed') return decodeActionTrigger(block, diagnostics);
  diagnostics.push(
    errorDiagnostic(
      `Invalid ${mode} resource lifecycle nested block`,
      `The lifecycle nested block "action_trigger" is defined only for managed resources ("resource" blocks), and is not valid for ${mode} resources.`,
      block.typeRange,
    ),
  );
  return undefined;
}

function decodeIgnoreChanges(
  attribute: Attribute,
  into: LifecycleTarget,
  diagnostics: Diagnostic[],
): void {
  const list = attribute.expression;
  if (asKeyword(list) === 'all') {
    into.ignoreAllChanges = true;
    return;
  }
  let starRange: Range | undefined;
  const ignored: Traversal[] = [];
  for (const element of staticList(list, diagnostics)) {
    if (isStar(element)) {
      into.ignoreAllChanges = true;
      starRange = element.range;
      diagnostics.push(
        errorDiagnostic(
          'Invalid ignore_changes wildcard',
          'The ["*"] form of ignore_changes wildcard is was deprecated and is now invalid. Use "ignore_changes = all" to ignore changes to all attributes.',
          list.range,
        ),
      );
      continue;
    }
    const e = unquoteTraversal(element, 'reference', diagnostics);
    const traversal = staticRelativeTraversal(e, diagnostics);
    if (traversal !== undefined) ignored.push(traversal);
  }
  into.ignoreChanges = ignored;
  if (into.ignoreAllChanges && into.ignoreChanges.length > 0) {
    diagnostics.push(
      errorDiagnostic(
        'Invalid ignore_changes ruleset',
        'Cannot mix wildcard string "*" with non-wildcard references.',
        starRange,
        { context: list.range },
      ),
    );
  }
}

function isStar(e: Expression): boolean {
  const diagnostics: Diagnostic[] = [];
  const value = evaluate(e, undefined, diagnostics);
  if (hasErrors(diagnostics) || value.type !== STRING || value.isNull || !value.isKnown) {
    return false;
  }
  return value.unmark().asString() === '*';
}

function decodeReplaceTriggeredBy(list: Expression, diagnostics: Diagnostic[]): Expression[] {
  const problems: Diagnostic[] = [];
  const result: Expression[] = [];
  for (const element of staticList(list, problems)) {
    const e = parseJsonReference(element, problems);
    if (e === undefined) continue;
    result.push(e);
    // Only the first invalid expression is reported.
    if (!hasErrors(problems)) checkTrigger(e, problems);
  }
  diagnostics.push(...problems);
  return result;
}

function checkTrigger(e: Expression, diagnostics: Diagnostic[]): void {
  const { references, diagnostics: malformed } = referencesInExpression(e);
  for (const diagnostic of malformed) diagnostics.push({ ...diagnostic, subject: e.range });
  if (hasErrors(malformed)) return;
  let resources = 0;
  for (const { subject } of references) {
    switch (subject.kind) {
      case 'resource':
        resources++;
        break;
      case 'each':
      case 'count': {
        const allowed = subject.kind === 'each' ? 'key' : 'index';
        if (subject.name === allowed) break;
        diagnostics.push(
          errorDiagnostic(
            `Invalid ${subject.kind} reference in replace_triggered_by expression`,
            `Only ${subject.kind}.${allowed} may be used in replace_triggered_by.`,
            e.range,
          ),
        );
        break;
      }
      default:
        diagnostics.push(
          errorDiagnostic(
            'Invalid reference in replace_triggered_by expression',
            'Only resources, count.index, and each.key may be used in replace_triggered_by.',
            e.range,
          ),
        );
    }
  }
  if (resources === 1) return;
  diagnostics.push(
    errorDiagnostic(
      'Invalid replace_triggered_by expression',
      `${resources === 0 ? 'Missing' : 'Multiple'} resource reference${resources === 0 ? '' : 's'} in replace_triggered_by expression.`,
      e.range,
    ),
  );
}
