import type { PlannedInvocation, RunEvent } from '@terrane/engine';
import { addressJson } from './change-messages.ts';
import { actionAddressJson, eventName, failureName } from './invocations-json.ts';
import { JsonMembers, jsonString } from './json-text.ts';
import { keyJson } from './state-json.ts';
import { info, type Message } from './stream-lines.ts';

/** Returns the message for a planned invocation of an action. */
export function plannedInvocation({ addr, trigger }: PlannedInvocation): Message {
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

/** Events of a running action. */
export type ActionRunEvent = Extract<RunEvent, { readonly invocation: PlannedInvocation }>;

/** Returns the message for an event of an action. */
export function actionMessage(event: ActionRunEvent): Message {
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
