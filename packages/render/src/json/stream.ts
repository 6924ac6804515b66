import type { InstanceAddr } from '@terrane/addresses';
import { typeToJsonText } from '@terrane/cty';
import {
  type Action,
  type ActionReason,
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
import { elapsedText, idSuffix, outputLinesOf } from '../human/event-text.ts';
import { diagnosticJsonText } from './diagnostic-json.ts';
import { importingJson } from './importing-json.ts';
import { actionAddressJson, eventName, failureName } from './invocations-json.ts';
import { JsonMembers, jsonObject, jsonString } from './json-text.ts';
import { listMessages } from './list-messages.ts';
import { keyJson } from './state-json.ts';
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

/** The parts of a message that differ by kind; `body` is one member with its JSON text. */
export interface Message {
  readonly level: 'info' | 'warn' | 'error';
  readonly text: string;
  readonly type: string;
  readonly body: readonly (readonly [string, string])[];
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

// Members are sorted by name, as in a Go map.
/** A message as a line. */
export function lineOf(message: Message, timestamp: Date): string {
  const members = new Map<string, string>([
    ['@level', jsonString(message.level)],
    ['@message', jsonString(message.text)],
    ['@module', '"terraform.ui"'],
    ['@timestamp', jsonString(timestampText(timestamp))],
    ['type', jsonString(message.type)],
    ...message.body,
  ]);
  return `${jsonObject(members)}\n`;
}

/** RFC 3339 in UTC with microseconds; a Date only knows milliseconds. */
function timestampText(timestamp: Date): string {
  return timestamp.toISOString().replace('Z', '000Z');
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

function info(text: string, type: string, body: Message['body']): Message {
  return { level: 'info', text, type, body };
}

/** Returns the message for a diagnostic. */
export function diagnosticMessage(diagnostic: Diagnostic): Message {
  const { severity, summary } = diagnostic;
  return {
    level: severity === 'warning' ? 'warn' : 'error',
    text: `${severity === 'warning' ? 'Warning' : 'Error'}: ${summary}`,
    type: 'diagnostic',
    body: [['diagnostic', diagnosticJsonText(diagnostic)]],
  };
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

const ACTIONS: Readonly<Record<Action, string>> = {
  'no-op': 'noop',
  create: 'create',
  read: 'read',
  update: 'update',
  delete: 'delete',
  'delete-then-create': 'replace',
  'create-then-delete': 'replace',
  'create-then-forget': 'replace',
  'forget-then-create': 'replace',
  forget: 'remove',
};

/** Includes the actions on ephemeral resources, which plans do not contain. */
const HOOK_ACTIONS = { ...ACTIONS, open: 'open', renew: 'renew', close: 'close' } as const;

/** Reasons that have another name in the stream than in the plan. */
const REASONS: Partial<Readonly<Record<ActionReason, string>>> = {
  replace_because_tainted: 'tainted',
  replace_because_cannot_update: 'cannot_update',
  replace_by_request: 'requested',
  replace_by_triggers: 'replace_triggered_by',
};

function changeMessage(kind: 'planned-change' | 'resource-drift', change: PlannedChange): Message {
  const { addr, previousAddr, importing, reason } = change;
  const moved = addr.text !== previousAddr.text;
  // Moves and imports are only reported if there is no other change; a move takes precedence over an import.
  const action =
    change.action !== 'no-op'
      ? ACTIONS[change.action]
      : moved
        ? 'move'
        : importing !== undefined
          ? 'import'
          : 'noop';
  const json = new JsonMembers()
    .add('resource', addressJson(addr))
    .add('previous_resource', moved ? addressJson(previousAddr) : undefined)
    .add('action', jsonString(action))
    .addText('reason', reason === undefined ? undefined : (REASONS[reason] ?? reason))
    .add('importing', importing === undefined ? undefined : importingJson(importing))
    .addText('generated_config', change.generatedConfig)
    .text();
  return kind === 'planned-change'
    ? info(`${addr.text}: Plan to ${action}`, 'planned_change', [['change', json]])
    : info(`${addr.text}: Drift detected (${action})`, 'resource_drift', [['change', json]]);
}

/** The parts of an instance's address. */
function addressJson(addr: InstanceAddr): string {
  const { module, resource } = addr.resource;
  const inModule = module.isRoot ? addr.text : addr.text.slice(module.text.length + 1);
  return new JsonMembers()
    .add('addr', jsonString(addr.text))
    .add('module', jsonString(module.text))
    .add('resource', jsonString(inModule))
    .add('implied_provider', jsonString(resource.impliedProvider))
    .add('resource_type', jsonString(resource.type))
    .add('resource_name', jsonString(resource.name))
    .add('resource_key', keyJson(addr.key) ?? 'null')
    .text();
}

// ---------- events ----------

const VERBS = {
  create: ['Creating', 'creating', 'Creation'],
  update: ['Modifying', 'modifying', 'Modifications'],
  delete: ['Destroying', 'destroying', 'Destruction'],
  read: ['Refreshing', 'refreshing', 'Refresh'],
  forget: ['Removing', 'applying', 'Removal'],
  open: ['Opening', 'opening', 'Opening'],
  renew: ['Renewing', 'renewing', 'Renewal'],
  close: ['Closing', 'closing', 'Closing'],
} as const;

function eventMessages(event: RunEvent): readonly Message[] {
  switch (event.kind) {
    case 'import-start':
    case 'import-found':
    case 'import-prepare':
    case 'import-complete':
      return [];
    case 'refresh-start':
      return [
        hook(`${event.addr.text}: Refreshing state...${idSuffix(event)}`, 'refresh_start', event),
      ];
    case 'refresh-complete':
      return [
        hook(`${event.addr.text}: Refresh complete${idSuffix(event)}`, 'refresh_complete', event),
      ];
    case 'list-start':
    case 'list-complete':
      return listMessages(event).map(({ text, type, body }) => info(text, type, body));
    case 'read-start':
      return [startMessage({ ...event, action: 'read' })];
    case 'read-complete':
      return [completeMessage({ ...event, action: 'read' })];
    case 'apply-start':
      return [startMessage(event)];
    case 'apply-progress': {
      const elapsed = elapsedText(event.elapsedMs);
      const text = `${event.addr.text}: Still ${VERBS[event.action][1]}... [${elapsed} elapsed]`;
      const why = event.note === undefined ? '' : ` (${event.note.replaceAll(/\s+/g, ' ')})`;
      return [hook(text + why, 'apply_progress', withoutId(event), elapsedSeconds(event))];
    }
    case 'apply-complete':
      return [completeMessage(event)];
    case 'apply-note':
      return [];
    case 'apply-errored': {
      const text = `${event.addr.text}: ${VERBS[event.action][2]} errored after ${elapsedText(event.elapsedMs)}`;
      return [hook(text, 'apply_errored', withoutId(event), elapsedSeconds(event))];
    }
    case 'ephemeral-start': {
      const text = `${event.addr.text}: ${VERBS[event.action][0]}...`;
      return [hook(text, 'ephemeral_op_start', event)];
    }
    case 'ephemeral-progress': {
      const text = `${event.addr.text}: Still ${VERBS[event.action][1]}... [${elapsedText(event.elapsedMs)} elapsed]`;
      return [hook(text, 'ephemeral_op_progress', event, elapsedSeconds(event))];
    }
    case 'ephemeral-complete':
    case 'ephemeral-errored': {
      const ended = event.kind === 'ephemeral-complete' ? 'complete' : 'errored';
      const text = `${event.addr.text}: ${VERBS[event.action][2]} ${ended} after ${elapsedText(event.elapsedMs)}`;
      return [hook(text, `ephemeral_op_${ended}`, event, elapsedSeconds(event))];
    }
    case 'ephemeral-deferred':
      // Only for text output: in JSON, no operation has started.
      return [];
    case 'provision-start':
      return [
        provisionMessage(event, `: Provisioning with '${event.provisioner}'...`, 'provision_start'),
      ];
    case 'provision-progress':
      return outputLinesOf(event.output ?? '').map((line) =>
        provisionMessage(event, `: (${event.provisioner}): ${line}`, 'provision_progress', line),
      );
    case 'provision-complete':
      return [
        provisionMessage(
          event,
          `: (${event.provisioner}) Provisioning complete`,
          'provision_complete',
        ),
      ];
    case 'provision-errored':
      return [
        provisionMessage(
          event,
          `: (${event.provisioner}) Provisioning errored`,
          'provision_errored',
        ),
      ];
    case 'action-start':
    case 'action-progress':
    case 'action-complete':
    case 'action-errored':
      return [actionMessage(event)];
    case 'planned-change':
    case 'resource-drift':
      return [changeMessage(event.kind, event.change)];
    case 'diagnostic':
      return [diagnosticMessage(event.diagnostic)];
    case 'message':
      return [info(event.text, 'log', [])];
  }
}

type ApplyAction = keyof typeof VERBS;

interface HookEvent {
  readonly addr: InstanceAddr;
  readonly action?: ApplyAction;
  readonly idKey?: string;
  readonly idValue?: string;
  readonly elapsedMs?: number;
}

function withoutId(event: HookEvent): HookEvent {
  const { addr, action } = event;
  return action === undefined ? { addr } : { addr, action };
}

function elapsedSeconds(event: HookEvent): number {
  return Math.round((event.elapsedMs ?? 0) / 1000);
}

function startMessage(event: HookEvent & { readonly action: ApplyAction }): Message {
  const text = `${event.addr.text}: ${VERBS[event.action][0]}...${idSuffix(event)}`;
  return hook(text, 'apply_start', event);
}

function completeMessage(event: HookEvent & { readonly action: ApplyAction }): Message {
  const elapsed = elapsedText(event.elapsedMs);
  const text = `${event.addr.text}: ${VERBS[event.action][2]} complete after ${elapsed}${idSuffix(event)}`;
  return hook(text, 'apply_complete', event, elapsedSeconds(event));
}

function hook(text: string, type: string, event: HookEvent, elapsed?: number): Message {
  const json = new JsonMembers()
    .add('resource', addressJson(event.addr))
    .add('action', event.action === undefined ? undefined : jsonString(HOOK_ACTIONS[event.action]))
    .addText('id_key', event.idKey)
    .addText('id_value', event.idValue)
    .add('elapsed_seconds', elapsed === undefined ? undefined : String(elapsed))
    .text();
  return info(text, type, [['hook', json]]);
}

function plannedInvocation({ addr, trigger }: PlannedInvocation): Message {
  const lifecycle =
    trigger.kind === 'lifecycle'
      ? new JsonMembers()
          .add('triggering_resource', addressJson(trigger.resource))
          .add('triggering_event', jsonString(eventName(trigger)))
          .add('action_trigger_block_index', String(trigger.block))
          .add('actions_list_index', String(trigger.position))
          .add('on_failure', jsonString(failureName(trigger)))
          .text()
      : undefined;
  const json = new JsonMembers()
    .add('action_addr', actionAddressJson(addr, keyJson(addr.key) ?? 'null'))
    .add('lifecycle_trigger', lifecycle)
    .add('action_trigger', lifecycle === undefined ? '{}' : undefined)
    .text();
  const inModule = addr.module.isRoot ? addr.text : addr.text.slice(addr.module.text.length + 1);
  return info(`planned action invocation: ${inModule}`, 'planned_action_invocation', [
    ['invocation', json],
  ]);
}

type ActionRunEvent = Extract<RunEvent, { readonly invocation: PlannedInvocation }>;

function actionMessage(event: ActionRunEvent): Message {
  const { addr, trigger } = event.invocation;
  const { message } = event;
  const lifecycle =
    trigger.kind === 'lifecycle'
      ? new JsonMembers()
          .add('resource', addressJson(trigger.resource))
          .add('trigger_index', String(trigger.block))
          .add('actions_index', String(trigger.position))
          .add('trigger_event', jsonString(eventName(trigger)))
          .add('on_failure', jsonString(failureName(trigger)))
          .text()
      : undefined;
  const json = new JsonMembers()
    .add('action', actionAddressJson(addr, keyJson(addr.key) ?? 'null'))
    .add('message', event.kind === 'action-progress' ? jsonString(message ?? '') : undefined)
    .add('error', event.kind === 'action-errored' ? jsonString(message ?? '') : undefined)
    .add('lifecycle', lifecycle)
    .add('invoke', lifecycle === undefined ? '{}' : undefined)
    .text();
  return info(actionText(event), event.kind.replace('-', '_'), [['hook', json]]);
}

function actionText({ kind, invocation, message = '' }: ActionRunEvent): string {
  const { addr, trigger } = invocation;
  const at = trigger.kind === 'lifecycle' ? `${trigger.resource.text} (${trigger.block}): ` : '';
  switch (kind) {
    case 'action-start':
      return trigger.kind === 'lifecycle'
        ? `${trigger.resource.text}.trigger[${trigger.block}]: Action started: ${addr.text}`
        : `Action started: ${addr.text}`;
    case 'action-progress':
      return `${at}${addr.text} - ${message}`;
    case 'action-complete':
      return `${at}Action complete: ${addr.text}`;
    case 'action-errored':
      return `${at}Action errored: ${addr.text} - ${message}`;
  }
}

function provisionMessage(
  event: { readonly addr: InstanceAddr; readonly provisioner: string },
  text: string,
  type: string,
  output?: string,
): Message {
  const json = new JsonMembers()
    .add('resource', addressJson(event.addr))
    .add('provisioner', jsonString(event.provisioner))
    .add('output', output === undefined ? undefined : jsonString(output))
    .text();
  return info(event.addr.text + text, type, [['hook', json]]);
}
