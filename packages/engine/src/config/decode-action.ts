import { ActionAddr } from '@terrane/addresses';
import { asKeyword, errorDiagnostic, hasErrors, isValidIdentifier } from '@terrane/hcl';
import type { Block, Body, BodySchema, Diagnostic, Expression, Range } from '@terrane/hcl';
import { referencesInExpression } from '../lang/references.ts';
import { parseJsonReference } from './json-reference.ts';
import type { ActionEvent, ActionReference, ActionTrigger, ProviderRef } from './model.ts';
import { decodeProviderRef } from './provider-ref.ts';
import { BAD_IDENTIFIER, keywordOf, staticList } from './static-value.ts';

/** A decoded `action` block, before its provider is resolved. */
export interface DecodedAction {
  readonly addr: ActionAddr;
  /** the whole block, for diagnostics about it */
  readonly block: Body;
  config?: Body;
  count?: Expression;
  forEach?: Expression;
  providerRef?: ProviderRef;
  readonly range: Range;
  readonly typeRange: Range;
}

const ACTION_SCHEMA: BodySchema = {
  attributes: [{ name: 'count' }, { name: 'for_each' }, { name: 'provider' }],
  blocks: [{ type: 'config' }],
};

/** Decodes an `action` block. Undefined where it has more than one `config` block. */
export function decodeAction(block: Block, diagnostics: Diagnostic[]): DecodedAction | undefined {
  const [type = '', name = ''] = block.labels;
  const [typeRange, nameRange] = block.labelRanges;
  const action: DecodedAction = {
    addr: ActionAddr.of(type, name),
    block: block.body,
    range: block.defRange,
    typeRange: typeRange ?? block.defRange,
  };
  if (!isValidIdentifier(type)) {
    diagnostics.push(errorDiagnostic('Invalid action type name', BAD_IDENTIFIER, typeRange));
  }
  if (!isValidIdentifier(name)) {
    diagnostics.push(errorDiagnostic('Invalid action name', BAD_IDENTIFIER, nameRange));
  }
  const { content, diagnostics: schemaProblems } = block.body.content(ACTION_SCHEMA);
  diagnostics.push(...schemaProblems);
  const count = content.attributes.get('count');
  if (count !== undefined) action.count = count.expression;
  const forEach = content.attributes.get('for_each');
  if (forEach !== undefined) {
    action.forEach = forEach.expression;
    if (count !== undefined) {
      diagnostics.push(
        errorDiagnostic(
          'Invalid combination of "count" and "for_each"',
          'The "count" and "for_each" meta-arguments are mutually-exclusive, only one should be used.',
          forEach.nameRange,
        ),
      );
    }
  }
  for (const inner of content.blocks) {
    if (action.config !== undefined) {
      diagnostics.push(
        errorDiagnostic(
          'Duplicate config block',
          'An action must contain only one nested "config" block.',
          inner.defRange,
        ),
      );
      return undefined;
    }
    action.config = inner.body;
  }
  const provider = content.attributes.get('provider');
  if (provider !== undefined) {
    const ref = decodeProviderRef(provider.expression, 'provider', diagnostics);
    if (ref !== undefined) action.providerRef = ref;
  }
  return action;
}

const TRIGGER_SCHEMA: BodySchema = {
  attributes: [
    { name: 'events', required: true },
    { name: 'condition' },
    { name: 'actions', required: true },
    { name: 'on_failure' },
  ],
  blocks: [],
};

const EVENTS: readonly ActionEvent[] = [
  'before_create',
  'after_create',
  'before_update',
  'after_update',
  'before_destroy',
  'after_destroy',
];

/** Decodes an `action_trigger` block of a managed resource's `lifecycle`. */
export function decodeActionTrigger(block: Block, diagnostics: Diagnostic[]): ActionTrigger {
  const { content, diagnostics: schemaProblems } = block.body.content(TRIGGER_SCHEMA);
  diagnostics.push(...schemaProblems);
  const condition = content.attributes.get('condition')?.expression;
  const expression = content.attributes.get('events')?.expression;
  const events = expression === undefined ? [] : decodeEvents(expression, diagnostics);
  const list = content.attributes.get('actions')?.expression;
  const { actions, count } =
    list === undefined ? NO_ACTIONS : decodeActionReferences(list, diagnostics);
  const failure = content.attributes.get('on_failure')?.expression;
  const onFailure =
    failure === undefined ? 'halt' : keywordOf(failure, ['halt', 'taint', 'continue']);
  if (onFailure === undefined) {
    diagnostics.push(
      errorDiagnostic(
        'Invalid "on_failure" keyword',
        'The "on_failure" argument requires one of the following keywords: halt, taint or continue.',
        failure?.range,
      ),
    );
  }
  if (count === 0) diagnostics.push(noActions(block.defRange));
  if (events.length === 0) {
    diagnostics.push(
      errorDiagnostic(
        'No events specified',
        'At least one event must be specified for an action_trigger.',
        block.defRange,
      ),
    );
  }
  return {
    events,
    actions,
    onFailure: onFailure ?? 'halt',
    range: block.defRange,
    ...(condition === undefined ? {} : { condition }),
  };
}

const NO_ACTIONS = { actions: [], count: 0 } as const;

function noActions(at: Range): Diagnostic {
  return errorDiagnostic(
    'No actions specified',
    'At least one action must be specified for an action_trigger.',
    at,
  );
}

function decodeEvents(list: Expression, diagnostics: Diagnostic[]): ActionEvent[] {
  const events: ActionEvent[] = [];
  for (const element of staticList(list, diagnostics)) {
    const event = keywordOf(element, EVENTS);
    if (event === undefined) {
      diagnostics.push(
        errorDiagnostic(
          `Invalid "event" value ${asKeyword(element) ?? ''}`,
          `The "event" argument supports the following values: ${EVENTS.join(', ')}.`,
          element.range,
        ),
      );
    } else if (events.includes(event)) {
      diagnostics.push(
        errorDiagnostic(
          `Duplicate "${event}" event`,
          'The event is already defined in this action_trigger block.',
          element.range,
        ),
      );
    } else {
      events.push(event);
    }
  }
  return events;
}

/** Each element names one action of the module, with an index that may hold `count.index` or `each.key`. */
function decodeActionReferences(
  list: Expression,
  diagnostics: Diagnostic[],
): { readonly actions: readonly ActionReference[]; readonly count: number } {
  const problems: Diagnostic[] = [];
  const elements = staticList(list, problems);
  const actions: ActionReference[] = [];
  for (const element of hasErrors(problems) ? [] : elements) {
    const expression = parseJsonReference(element, problems);
    // Only the first invalid expression is reported.
    if (expression === undefined || hasErrors(problems)) continue;
    const action = referencedAction(expression, problems);
    if (action !== undefined) actions.push({ expression, action });
  }
  diagnostics.push(...problems);
  return { actions, count: elements.length };
}

function referencedAction(e: Expression, diagnostics: Diagnostic[]): ActionAddr | undefined {
  const { references, diagnostics: malformed } = referencesInExpression(e);
  for (const diagnostic of malformed) diagnostics.push({ ...diagnostic, subject: e.range });
  if (hasErrors(malformed)) return undefined;
  const actions: ActionAddr[] = [];
  for (const { subject } of references) {
    switch (subject.kind) {
      case 'action':
        actions.push(subject.action);
        break;
      case 'count':
      case 'each':
        break;
      case 'moduleCall':
        diagnostics.push(
          errorDiagnostic(
            'Invalid reference to action outside this module',
            'Actions can only be referenced in the module they are declared in.',
            e.range,
          ),
        );
        return undefined;
      default:
        diagnostics.push(
          errorDiagnostic(
            'Invalid action argument inside action_triggers',
            'action_triggers.actions must only refer to actions in the current module, count.index, or each.key.',
            e.range,
          ),
        );
        return undefined;
    }
  }
  const [action] = actions;
  if (action === undefined) diagnostics.push(noActions(e.range));
  if (actions.length > 1) {
    diagnostics.push(
      errorDiagnostic(
        'Invalid action expression',
        'Multiple action references in actions expression.',
        e.range,
      ),
    );
  }
  return action;
}
