import { typeToJsonText } from '@terrane/cty';
import {
  type Explanation,
  type OutputChange,
  type OutputState,
  type PlannedChange,
  type PlannedInvocation,
  type RunEvent,
  TERRAFORM_VERSION,
} from '@terrane/engine';
import type { Diagnostic } from '@terrane/hcl';
import { explanationJson } from '../explain/explanation-json.ts';
import { ACTIONS, changeMessage } from './change-messages.ts';
import { eventMessages } from './event-messages.ts';
import { plannedInvocation } from './invocation-messages.ts';
import { JsonMembers, jsonObject, jsonString } from './json-text.ts';
import { diagnosticMessage, info, lineOf, type Message } from './stream-lines.ts';
import { valueJson } from './value-json.ts';

/** Version of the messages' form. */
const UI_VERSION = '1.2';

/** Messages of the `-json` stream. */
export type StreamMessage =
  | { readonly kind: 'version' }
  | { readonly kind: 'event'; readonly event: RunEvent }
  | { readonly kind: 'diagnostic'; readonly diagnostic: Diagnostic }
  | { readonly kind: 'planned-change' | 'resource-drift'; readonly change: PlannedChange }
  | { readonly kind: 'planned-invocation'; readonly invocation: PlannedInvocation }
  | ChangeSummary
  | {
      readonly kind: 'outputs';
      readonly outputs: ReadonlyMap<string, OutputState> | readonly OutputChange[];
    }
  | { readonly kind: 'explanation'; readonly explanation: Explanation }
  | { readonly kind: 'log'; readonly text: string };

/** The number of added, changed, removed and imported objects. */
export interface ChangeSummary {
  readonly kind: 'change-summary';
  readonly operation: 'plan' | 'apply' | 'destroy';
  readonly add: number;
  readonly change: number;
  readonly remove: number;
  readonly import: number;
  /** objects to be removed from the state without being destroyed; undefined: not counted, as in Terraform */
  readonly forget?: number | undefined;
  /** invocations of actions, and those of them that failed */
  readonly actions?: number;
  readonly actionsFailed?: number;
}

/**
 * Formats a message of the machine-readable stream as one or more lines, each ended by a line break; "" for events
 * without output. Provisioner output becomes a message for every line.
 */
export function streamLine(message: StreamMessage, timestamp: Date): string {
  return messagesOf(message)
    .map((m) => lineOf(m, timestamp))
    .join('');
}

function messagesOf(message: StreamMessage): readonly Message[] {
  switch (message.kind) {
    case 'version':
      return [
        info(`Terraform ${TERRAFORM_VERSION}`, 'version', [
          ['terraform', jsonString(TERRAFORM_VERSION)],
          ['ui', jsonString(UI_VERSION)],
        ]),
      ];
    case 'event':
      return eventMessages(message.event);
    case 'diagnostic':
      return [diagnosticMessage(message.diagnostic)];
    case 'planned-change':
    case 'resource-drift':
      return [changeMessage(message.kind, message.change)];
    case 'planned-invocation':
      return [plannedInvocation(message.invocation)];
    case 'change-summary':
      return [summaryMessage(message)];
    case 'outputs':
      return [outputsMessage(message.outputs)];
    case 'explanation': {
      const { explanation } = message;
      const text = `${explanation.address}: explained`;
      return [info(text, 'explanation', [['explanation', explanationJson(explanation)]])];
    }
    case 'log':
      return [info(message.text, 'log', [])];
  }
}

function summaryMessage(summary: ChangeSummary): Message {
  const { actions = 0, actionsFailed = 0 } = summary;
  const changes = new JsonMembers()
    .add('add', String(summary.add))
    .add('change', String(summary.change))
    .add('import', String(summary.import))
    .add('remove', String(summary.remove))
    .add('forget', summary.forget === undefined ? undefined : String(summary.forget))
    // Omitted if there are none, so that programs without support for actions see the usual output.
    .add('action_invocation', actions === 0 ? undefined : String(actions))
    .add('action_fail', actions === 0 ? undefined : String(actionsFailed))
    .add('operation', jsonString(summary.operation))
    .text();
  return info(summaryText(summary), 'change_summary', [['changes', changes]]);
}

/** "Plan: 1 to add, …", "Apply complete! …" */
export function summaryText(summary: ChangeSummary): string {
  const { add, change, remove, forget = 0, actions = 0, actionsFailed = 0 } = summary;
  const imports = summary.import;
  const invoked = actions > 0 ? ` Actions: ${actions} invoked` : '';
  const failed = actions > 0 && actionsFailed > 0 ? `, ${actionsFailed} failed` : '';
  const end = invoked === '' ? '' : '.';
  switch (summary.operation) {
    case 'plan':
      return `Plan: ${imports > 0 ? `${imports} to import, ` : ''}${add} to add, ${change} to change, ${remove} to destroy${forget > 0 ? `, ${forget} to forget` : ''}.${actions > 0 ? ` Actions: ${actions} to invoke.` : ''}`;
    case 'apply':
      return `Apply complete! Resources: ${imports > 0 ? `${imports} imported, ` : ''}${add} added, ${change} changed, ${remove} destroyed${forget > 0 ? `, ${forget} forgotten` : ''}.${invoked}${failed}${end}`;
    case 'destroy':
      return `Destroy complete! Resources: ${remove} destroyed.${invoked}${end}`;
  }
}

function outputsMessage(
  outputs: ReadonlyMap<string, OutputState> | readonly OutputChange[],
): Message {
  const members = isChanges(outputs) ? changedOutputs(outputs) : finalOutputs(outputs);
  return info(`Outputs: ${members.length}`, 'outputs', [['outputs', jsonObject(members)]]);
}

function isChanges(
  outputs: ReadonlyMap<string, OutputState> | readonly OutputChange[],
): outputs is readonly OutputChange[] {
  return Array.isArray(outputs);
}

function changedOutputs(outputs: readonly OutputChange[]): readonly (readonly [string, string])[] {
  return outputs.map((output) => {
    const json = new JsonMembers()
      .add('sensitive', String(output.sensitive))
      .add('action', jsonString(ACTIONS[output.action]))
      .text();
    return [output.name, json];
  });
}

function finalOutputs(
  outputs: ReadonlyMap<string, OutputState>,
): readonly (readonly [string, string])[] {
  return [...outputs].map(([name, { value, sensitive }]) => {
    const json = new JsonMembers()
      .add('sensitive', String(sensitive))
      .add('type', typeToJsonText(value.type))
      .add('value', sensitive ? undefined : valueJson(value))
      .text();
    return [name, json];
  });
}
