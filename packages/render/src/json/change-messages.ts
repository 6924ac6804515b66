import type { InstanceAddr } from '@terrane/addresses';
import type { Action, ActionReason, PlannedChange } from '@terrane/engine';
import { importingJson } from './importing-json.ts';
import { JsonMembers, jsonString } from './json-text.ts';
import { keyJson } from './state-json.ts';
import { info, type Message } from './stream-lines.ts';

/** The names of actions in the stream. */
export const ACTIONS: Readonly<Record<Action, string>> = {
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

/** Reasons that have another name in the stream than in the plan. */
const REASONS: Partial<Readonly<Record<ActionReason, string>>> = {
  replace_because_tainted: 'tainted',
  replace_because_cannot_update: 'cannot_update',
  replace_by_request: 'requested',
  replace_by_triggers: 'replace_triggered_by',
};

/** Returns the message for a planned change or for drift. */
export function changeMessage(
  kind: 'planned-change' | 'resource-drift',
  change: PlannedChange,
): Message {
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

/** Returns the parts of an instance's address. */
export function addressJson(addr: InstanceAddr): string {
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
