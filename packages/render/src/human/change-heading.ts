import { inProductName } from '@terrane/host';
import type { PlannedChange } from '@terrane/engine';
import { jsonString } from '../json/json-text.ts';
import { colorize, linkText } from '../text/style.ts';

/** The origin of a change: the plan itself, or drift outside Terrane. */
export type Cause = 'proposed' | 'drift';

/** Returns true if the object had another address in the previous run. */
export function hasMoved(change: PlannedChange): boolean {
  return change.addr.text !== change.previousAddr.text;
}

/** The comment lines above a changed object, with their line breaks; its address is a link to `target`. */
export function changeHeading(
  change: PlannedChange,
  cause: Cause,
  color: boolean,
  target?: string,
): string {
  const importing = change.importing;
  let text = `${headline(change, cause, color, target)}\n`;
  const headlineMoved = change.action === 'no-op' && hasMoved(change);
  const headlineImported = change.action === 'no-op' && !headlineMoved;
  if (hasMoved(change) && !headlineMoved) {
    text += `  # [reset](moved from ${change.previousAddr.text})\n`;
  }
  if (importing !== undefined && !headlineImported) {
    const id = importing.id ?? '';
    text +=
      id === '' ? '  # [reset](will be imported first)\n' : `  # [reset](imported from "${id}")\n`;
  }
  if (importing !== undefined && isReplacement(change)) {
    text += '  # [reset][yellow]Warning: this will destroy the imported resource[reset]\n';
  }
  return colorize(text, color);
}

function isReplacement(change: PlannedChange): boolean {
  return change.action === 'create-then-delete' || change.action === 'delete-then-create';
}

function headline(
  change: PlannedChange,
  cause: Cause,
  color: boolean,
  target: string | undefined,
): string {
  const current = linkText(change.addr.text, target);
  const address =
    change.deposed === undefined ? current : `${current} (deposed object ${change.deposed})`;
  // Most headings have no other tags: without color, none are added only to be removed again.
  const start = color ? `[bold]  # ${address}[reset]` : `  # ${address}`;
  switch (change.action) {
    case 'create':
      return `${start} will be created`;
    case 'read':
      return `${start} will be read during apply${readReason(change)}`;
    case 'update':
      return `${start} ${cause === 'drift' ? 'has changed' : 'will be updated in-place'}`;
    case 'create-then-delete':
    case 'delete-then-create':
      return `${start} ${replaceReason(change)}`;
    case 'create-then-forget':
      return `[bold] # ${address}[reset] must be replaced, but the existing object will not be destroyed\n # (destroy = false is set in the configuration)`;
    case 'forget-then-create':
      return `${start} ${replaceReason(change)} - [yellow]older instance will [bold]not[reset][yellow] be destroyed [reset]([bold]lifecycle.destroy = false[reset])`;
    case 'forget':
      return `${forgetText(change, address)}\n # (${forgetReason(change)})`;
    case 'delete':
      return `${start} ${cause === 'drift' ? 'has been deleted' : 'will be [bold][red]destroyed[reset]'}${deleteReason(change)}`;
    case 'no-op':
      if (hasMoved(change)) {
        return `[bold]  # ${change.previousAddr.text}[reset] has moved to [bold]${address}[reset]`;
      }
      return `${start} will be imported${(change.generatedConfig ?? '') === '' ? '' : '\n  #[reset] (config will be generated)'}`;
  }
}

function forgetText(change: PlannedChange, address: string): string {
  const start = `[bold] # ${address}[reset]`;
  return change.deposed === undefined
    ? `${start} will no longer be managed by ${inProductName('Terraform')}, but [bold][red]will not be destroyed[reset]`
    : `${start} will be removed from ${inProductName('Terraform')} state, but [bold][red]will not be destroyed[reset]\n[bold] # (left over from a partially-failed replacement of this instance)`;
}

function forgetReason(change: PlannedChange): string {
  return change.reason === 'forgot_because_lifecycle_destroy_in_state'
    ? 'destroy = false was set in the configuration before it was removed'
    : 'destroy = false is set in the configuration';
}

function readReason(change: PlannedChange): string {
  switch (change.reason) {
    case 'read_because_config_unknown':
      return '\n  # (config refers to values not yet known)';
    case 'read_because_dependency_pending':
      return '\n  # (depends on a resource or a module with changes pending)';
    case 'read_because_check_nested':
      return '\n  # (config will be reloaded to verify a check block)';
    default:
      return '';
  }
}

function replaceReason(change: PlannedChange): string {
  switch (change.reason) {
    case 'replace_because_tainted':
      return 'is tainted, so must be [bold][red]replaced[reset]';
    case 'replace_by_request':
      return 'will be [bold][red]replaced[reset], as requested';
    case 'replace_by_triggers':
      return 'will be [bold][red]replaced[reset] due to changes in replace_triggered_by';
    default:
      return 'must be [bold][red]replaced[reset]';
  }
}

function deleteReason(change: PlannedChange): string {
  const reasonText = deleteBecause(change);
  const deposed =
    change.deposed === undefined
      ? ''
      : '\n  # (left over from a partially-failed replacement of this instance)';
  return (reasonText === undefined ? '' : `\n  # (because ${reasonText})`) + deposed;
}

function deleteBecause(change: PlannedChange): string | undefined {
  const { resource, key } = change.addr;
  switch (change.reason) {
    case 'delete_because_no_resource_config':
      return `${resource.resource.type}.${resource.resource.name} is not in configuration`;
    case 'delete_because_no_move_target':
      return `${hasMoved(change) ? change.previousAddr.text : ''} was moved to ${change.addr.text}, which is not in configuration`;
    case 'delete_because_no_module':
      return change.disabledModule === undefined
        ? `${resource.module.text} is not in configuration`
        : `enabled of ${change.disabledModule} is false`;
    case 'delete_because_enabled_false':
      return 'enabled is false';
    case 'delete_because_wrong_repetition':
      if (key === undefined) return 'resource uses count or for_each';
      return `resource does not use ${typeof key === 'number' ? 'count' : 'for_each'}`;
    case 'delete_because_count_index':
      return `index [${jsonKeyText(key)}] is out of range for count`;
    case 'delete_because_each_key':
      return `key [${jsonKeyText(key)}] is not in for_each map`;
    default:
      return undefined;
  }
}

function jsonKeyText(key: string | number | undefined): string {
  if (key === undefined) return '';
  return typeof key === 'number' ? String(key) : jsonString(key);
}
