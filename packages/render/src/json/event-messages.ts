import type { InstanceAddr } from '@terrane/addresses';
import type { RunEvent } from '@terrane/engine';
import { elapsedText, idSuffix, outputLinesOf } from '../human/event-text.ts';
import { ACTIONS, addressJson, changeMessage } from './change-messages.ts';
import { actionMessage } from './invocation-messages.ts';
import { JsonMembers, jsonString } from './json-text.ts';
import { listMessages } from './list-messages.ts';
import { diagnosticMessage, info, type Message } from './stream-lines.ts';

/** Includes the actions on ephemeral resources, which plans do not contain. */
const HOOK_ACTIONS = { ...ACTIONS, open: 'open', renew: 'renew', close: 'close' } as const;

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

/** Returns the messages for an event of a run; none for events without a counterpart in Terraform's stream. */
export function eventMessages(event: RunEvent): readonly Message[] {
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
      const reason = event.note === undefined ? '' : ` (${event.note.replaceAll(/\s+/g, ' ')})`;
      return [hook(text + reason, 'apply_progress', withoutId(event), elapsedSeconds(event))];
    }
    case 'apply-complete':
      return [completeMessage(event)];
    case 'apply-note':
      return [];
    case 'apply-errored': {
      const text = `${event.addr.text}: ${VERBS[event.action][2]} errored after ${elapsedText(event.elapsedMs)}`;
      return [hook(text, 'apply_errored', withoutId(event), elapsedSeconds(event))];
    }
    case 'ephemeral-start':
    case 'ephemeral-progress':
    case 'ephemeral-complete':
    case 'ephemeral-errored':
      return [ephemeralMessage(event)];
    case 'ephemeral-deferred':
      // Only for text output: in JSON, no operation has started.
      return [];
    case 'provision-start':
    case 'provision-progress':
    case 'provision-complete':
    case 'provision-errored':
      return provisionerMessages(event);
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

type EventOf<K> = Extract<RunEvent, { readonly kind: K }>;

function ephemeralMessage(
  event: EventOf<`ephemeral-${'start' | 'progress' | 'complete' | 'errored'}`>,
): Message {
  const address = event.addr.text;
  const [start, progress, noun] = VERBS[event.action];
  switch (event.kind) {
    case 'ephemeral-start':
      return hook(`${address}: ${start}...`, 'ephemeral_op_start', event);
    case 'ephemeral-progress': {
      const text = `${address}: Still ${progress}... [${elapsedText(event.elapsedMs)} elapsed]`;
      return hook(text, 'ephemeral_op_progress', event, elapsedSeconds(event));
    }
    case 'ephemeral-complete':
    case 'ephemeral-errored': {
      const ended = event.kind === 'ephemeral-complete' ? 'complete' : 'errored';
      const text = `${address}: ${noun} ${ended} after ${elapsedText(event.elapsedMs)}`;
      return hook(text, `ephemeral_op_${ended}`, event, elapsedSeconds(event));
    }
  }
}

function provisionerMessages(event: EventOf<`provision-${string}`>): readonly Message[] {
  const { provisioner } = event;
  switch (event.kind) {
    case 'provision-start':
      return [
        provisionMessage(event, `: Provisioning with '${provisioner}'...`, 'provision_start'),
      ];
    case 'provision-progress':
      return outputLinesOf(event.output ?? '').map((line) =>
        provisionMessage(event, `: (${provisioner}): ${line}`, 'provision_progress', line),
      );
    case 'provision-complete': {
      const text = `: (${provisioner}) Provisioning complete`;
      return [provisionMessage(event, text, 'provision_complete')];
    }
    case 'provision-errored': {
      const text = `: (${provisioner}) Provisioning errored`;
      return [provisionMessage(event, text, 'provision_errored')];
    }
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
