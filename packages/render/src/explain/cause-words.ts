import { formatNumber, type Path, quoteText, type Value } from '@terrane/cty';
import type { Action, Cause } from '@terrane/engine';
import type { Range } from '@terrane/hcl';
import { valueJson } from '../json/value-json.ts';

/** Longer values are cut: the plan shows them in full. */
const LONGEST = 60;

/** A value in few words; what is sensitive or not known is named as such. */
function valueWords(value: Value): string {
  if (value.hasMarkDeep('sensitive')) return '(sensitive value)';
  if (value.hasMarkDeep('ephemeral')) return '(ephemeral value)';
  const plain = value.unmarkDeep().value;
  if (!plain.isWhollyKnown()) return '(known after apply)';
  const text = valueJson(plain) ?? '';
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** A path into an object as it is written: `tags["a"]`, `disk[0].size`. */
export function pathWords(path: Path): string {
  let text = '';
  for (const step of path) {
    if (step.kind === 'attr') text += text === '' ? step.name : `.${step.name}`;
    else text += `[${keyWords(step.key)}]`;
  }
  return text;
}

function keyWords(key: Value): string {
  const plain = key.unmark();
  if (!plain.isKnown || plain.isNull) return '…';
  if (plain.type.kind === 'string') return quoteText(plain.asString());
  return plain.type.kind === 'number' ? formatNumber(plain.asNum()) : '…';
}

/** A place in a file: `main.tf:12`. */
export function placeWords({ filename, from }: Range): string {
  return `${filename}:${from.line}`;
}

/** Describes the action on an object. */
export function actionWords(action: Action | undefined): string {
  switch (action) {
    case 'create':
      return 'is to be created';
    case 'update':
      return 'is to be updated';
    case 'delete':
      return 'is to be destroyed';
    case 'forget':
      return 'is to be forgotten';
    case 'read':
      return 'is to be read';
    case 'delete-then-create':
    case 'create-then-delete':
    case 'create-then-forget':
    case 'forget-then-create':
      return 'is to be replaced';
    default:
      return 'stays as it is';
  }
}

/** Describes an already explained cause as briefly as possible. */
export function briefWords(cause: Cause): string {
  const { kind, address = '' } = cause;
  const attribute = cause.attribute === undefined ? '' : pathWords(cause.attribute);
  const isNamed =
    kind === 'local' || kind === 'argument' || kind === 'output' || kind === 'resource';
  if (!isNamed || address === '') return causeWords(cause);
  return attribute === '' || attribute.startsWith('[')
    ? `${address}${attribute}`
    : `${address}.${attribute}`;
}

/** Describes a cause as a sentence without a full stop. What is behind it is left out. */
export function causeWords(cause: Cause): string {
  const { address = '', name = '', range, before, after, action } = cause;
  const at = range === undefined ? '' : ` (${placeWords(range)})`;
  const where = range === undefined ? 'the configuration' : placeWords(range);
  const attribute = cause.attribute === undefined ? '' : pathWords(cause.attribute);
  const of =
    attribute === '' || attribute.startsWith('[')
      ? `${address}${attribute}`
      : `${address}.${attribute}`;
  const is = after === undefined ? '' : ` is ${valueWords(after)}`;
  const gives = after === undefined ? '' : ` gives ${valueWords(after)}`;
  switch (cause.kind) {
    case 'attribute':
      return `${attribute}${changes(before, after)}${at}`;
    case 'source':
      if (name !== '' && before !== undefined)
        return `${where} has no ${quoteText(name)} any more; the state has ${valueWords(before)}`;
      if (name !== '') return `${where} has ${quoteText(name)}`;
      if (after === undefined) return `${where} says so`;
      return before === undefined
        ? `${where} says ${valueWords(after)}`
        : `${where} says ${valueWords(after)}; the state has ${valueWords(before)}`;
    case 'argument-removed':
      return `${attribute} is not set any more${at}${before === undefined ? '' : `; the state has ${valueWords(before)}`}`;
    case 'block':
      return `the blocks of ${attribute} differ${at}`;
    case 'variable':
      return `${of}${is}${originWords(cause)}${before === undefined ? '' : `; the state fits ${valueWords(before)}`}`;
    case 'argument':
    case 'local':
      return `${of}${gives}${at}`;
    case 'output':
      return `${of}${gives}${at}`;
    case 'resource':
      return `${of}${attribute === '' ? '' : changes(before, after)}${at}${action === undefined || action === 'no-op' ? '' : `; ${address} ${actionWords(action)}`}`;
    case 'dependency':
      return name === ''
        ? `${address}, which it waits for, ${actionWords(action)}`
        : `${address}, on which it builds, is left to a later plan`;
    case 'computed':
      return `${of} is known once ${address} ${doneWords(action)}`;
    case 'provider':
      return attribute === ''
        ? `the provider plans a change of its own${at}`
        : `the provider plans ${attribute}${changes(before, after)}, though the configuration asks for no change`;
    case 'data':
      return `${of} was read anew, and gives something else`;
    case 'function':
      return `${name}() gives something new in every run${at}`;
    case 'file':
      return `${name}() reads a file, which may have changed${at}`;
    case 'environment':
      return `${address}${is}${at}`;
    case 'drift':
      if (cause.present === false) return `${address} was removed outside`;
      return attribute === ''
        ? `${address} was changed outside`
        : `${attribute} was changed outside${fromTo(before, after)}`;
    case 'tainted':
      return `${address} is tainted`;
    case 'replace-option':
      return '-replace asks for it';
    case 'destroy-mode':
      return '-destroy removes everything';
    case 'requires-replace':
      return `the provider cannot change ${attribute} of an object that exists${at}`;
    case 'replace-triggered-by':
      return `replace_triggered_by names ${of}${at}; ${address} ${actionWords(action)}`;
    case 'new-block':
      return `${address} is in the configuration${at}, and the state has no object of it`;
    case 'no-block':
      return name === ''
        ? `the configuration has no block for ${address}`
        : `the configuration has no block for ${address}, where it moved from ${name}`;
    case 'removed-block':
      return `a removed block says so${at}`;
    case 'no-module':
      return `the configuration does not call ${address}`;
    case 'repetition':
      return repetitionWords(cause, at);
    case 'repetition-form':
      return name === ''
        ? `${address} has neither count nor for_each now${at}`
        : `${address} has ${name} now${at}, and other keys by it`;
    case 'moved':
      return range === undefined
        ? `it moved from ${name}, for count came or went`
        : `it moved from ${name}${at}`;
    case 'import':
      return name === ''
        ? `an import block adopts the object${at}`
        : `an import block adopts the object ${quoteText(name)}${at}`;
    case 'forget':
      return name === 'state'
        ? 'the state says destroy = false: the object is left as it is'
        : `destroy = false leaves the object as it is${at}`;
    case 'deposed':
      return `the object ${name} is left over from a replacement`;
    case 'schema-upgrade':
      return `the object was stored by another version of the provider's schema`;
    case 'sensitivity':
      if (cause.present === undefined) return `only what is sensitive differs${at}`;
      if (cause.present) return `${of} is sensitive${at}`;
      return `${of} is not sensitive${attribute === '' ? '' : ' any more'}${at}`;
    case 'unknown-configuration':
      return attribute === ''
        ? `what it is configured with is not known yet${at}`
        : `${attribute} is not known yet${at}`;
    case 'deferred':
      return `${deferredWords(name)}${at}`;
    case 'generated':
      return `its configuration was generated from the object${at}`;
    case 'check':
      return `it belongs to check ${quoteText(name)}${at}, and is read in every run`;
    case 'read-now':
      return 'it was read while planning, for everything that it needs is known';
    case 'action-trigger':
      return `${name} of ${address} triggers it${at}`;
    case 'invoke-option':
      return '-invoke asks for it';
    case 'equal':
      return attribute === ''
        ? `the object is as the configuration asks for${at}`
        : `${attribute} stays as it is${at}`;
    case 'ignored':
      return `ignore_changes hides ${attribute}${at}: the configuration says ${after === undefined ? 'nothing' : valueWords(after)}, the object has ${before === undefined ? 'nothing' : valueWords(before)}`;
    case 'normalised':
      return `the provider takes ${after === undefined ? 'nothing' : valueWords(after)}${at} for the same as ${before === undefined ? 'nothing' : valueWords(before)}, which the object has as ${attribute}`;
    case 'refresh-only':
      return 'a refresh-only plan changes no object';
    case 'not-targeted':
      return '-target names other resources, and nothing that they need';
    case 'incomplete':
      return 'planning failed, and what is to become of it was not decided';
    case 'excluded':
      return '-exclude names it, or what it builds on';
    case 'new-output':
      return `${address} is in the configuration${at}, and the state has no value of it`;
  }
}

/** Describes the reason of a deferral by its code in plan JSON. */
function deferredWords(reason: string): string {
  switch (reason) {
    case 'instance_count_unknown':
      return 'it is not known yet which instances there are';
    case 'resource_config_unknown':
      return 'the provider has to know first what it is configured with';
    case 'provider_config_unknown':
      return 'the provider has to know first what it is configured with itself';
    case 'absent_prereq':
      return 'the provider needs something that is not there yet';
    case 'deferred_prereq':
      return 'what it builds on is left to a later plan';
    default:
      return 'the provider leaves it to a later plan';
  }
}

function changes(before: Value | undefined, after: Value | undefined): string {
  if (before === undefined && after === undefined) return '';
  if (before === undefined) return after === undefined ? '' : ` is ${valueWords(after)}`;
  return after === undefined
    ? ` was ${valueWords(before)}`
    : ` changes from ${valueWords(before)} to ${valueWords(after)}`;
}

function fromTo(before: Value | undefined, after: Value | undefined): string {
  const from = before === undefined ? '' : ` from ${valueWords(before)}`;
  return after === undefined ? from : `${from} to ${valueWords(after)}`;
}

function doneWords(action: Action | undefined): string {
  switch (action) {
    case 'create':
      return 'is created';
    case 'read':
      return 'is read';
    case 'update':
      return 'is updated';
    default:
      return 'is replaced';
  }
}

function originWords({ origin }: Cause): string {
  if (origin === undefined) return '';
  const { source, name, line } = origin;
  const place = name === undefined ? '' : line === undefined ? name : `${name}:${line}`;
  switch (source) {
    case 'default':
      return `, its default (${place})`;
    case 'cli':
      return ', given by -var';
    case 'file':
    case 'autoFile':
      return `, given in ${place}`;
    case 'env':
      return `, given by ${place} in the environment`;
    case 'input':
      return ', typed in';
    case 'plan':
    case 'caller':
      return ', given to the plan';
  }
}

function repetitionWords(cause: Cause, at: string): string {
  const { address = '', name = '', key, present, before, after } = cause;
  if (name === 'for_each' && typeof key === 'string') {
    const has = present === true ? 'has the key' : 'has no key';
    return `for_each of ${address} ${has} ${quoteText(key)}${at}`;
  }
  const now = after === undefined ? '' : ` is ${valueWords(after)}`;
  if (name === 'each.value') return `${address}${now}${at}`;
  if (name !== 'count') return `${name} of ${address}${now}${at}`;
  const was = before === undefined ? '' : `; the state has ${valueWords(before)}`;
  return `count of ${address}${now}${at}${was}`;
}
