import { formatNumber, type Path, quoteText, type Value } from '@terrane/cty';
import type { Action, Cause, CauseKind } from '@terrane/engine';
import type { Range } from '@terrane/hcl';
import { valueJson } from '../json/value-json.ts';

/** The greatest length of a displayed value; the plan shows the full value. */
const MAX_VALUE_LENGTH = 60;

/** Formats a value on one line, with placeholders for sensitive, ephemeral and unknown values. */
function valueWords(value: Value): string {
  if (value.hasMarkDeep('sensitive')) return '(sensitive value)';
  if (value.hasMarkDeep('ephemeral')) return '(ephemeral value)';
  const plain = value.unmarkDeep().value;
  if (!plain.isWhollyKnown()) return '(known after apply)';
  const text = valueJson(plain) ?? '';
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text;
}

/** Formats a path into an object: `tags["a"]`, `disk[0].size`. */
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

/** Formats a range as file and line: `main.tf:12`. */
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
  switch (cause.kind) {
    case 'local':
    case 'argument':
    case 'output':
    case 'resource':
      return subjectWords(cause);
    default:
      return causeWords(cause);
  }
}

/** Formats a cause as a sentence without a full stop. Its own causes are omitted. */
export function causeWords(cause: Cause): string {
  const describe: (cause: never) => string = WORDS[cause.kind];
  // Each entry of the table accepts the causes of its own kind.
  return describe(cause as never);
}

type CauseWords = {
  readonly [K in CauseKind]: (cause: Extract<Cause, { readonly kind: K }>) => string;
};

const WORDS: CauseWords = {
  attribute: (cause) => `${partWords(cause)}${changeWords(cause)}${atWords(cause)}`,
  source: sourceWords,
  'argument-removed': (cause) =>
    `${partWords(cause)} is not set any more${atWords(cause)}${storedWords(cause)}`,
  block: (cause) => `the blocks of ${partWords(cause)} differ${atWords(cause)}`,
  variable: (cause) =>
    `${subjectWords(cause)}${isWords(cause)}${originWords(cause)}${cause.before === undefined ? '' : `; the state fits ${valueWords(cause.before)}`}`,
  argument: namedWords,
  local: namedWords,
  output: namedWords,
  resource: resourceWords,
  dependency: (cause) =>
    cause.name === undefined || cause.name === ''
      ? `${addressOf(cause)}, which it waits for, ${actionWords(cause.action)}`
      : `${addressOf(cause)}, on which it builds, is left to a later plan`,
  computed: (cause) =>
    `${subjectWords(cause)} is known once ${addressOf(cause)} ${doneWords(cause.action)}`,
  provider: (cause) =>
    partWords(cause) === ''
      ? `the provider plans a change of its own${atWords(cause)}`
      : `the provider plans ${partWords(cause)}${changeWords(cause)}, though the configuration asks for no change`,
  data: (cause) => `${subjectWords(cause)} was read anew, and gives something else`,
  function: (cause) => `${cause.name}() gives something new in every run${atWords(cause)}`,
  file: (cause) => `${cause.name}() reads a file, which may have changed${atWords(cause)}`,
  environment: (cause) => `${addressOf(cause)}${isWords(cause)}${atWords(cause)}`,
  drift: driftWords,
  tainted: (cause) => `${addressOf(cause)} is tainted`,
  'replace-option': () => '-replace asks for it',
  'destroy-mode': () => '-destroy removes everything',
  'requires-replace': (cause) =>
    `the provider cannot change ${partWords(cause)} of an object that exists${atWords(cause)}`,
  'replace-triggered-by': (cause) =>
    `replace_triggered_by names ${subjectWords(cause)}${atWords(cause)}; ${addressOf(cause)} ${actionWords(cause.action)}`,
  'new-block': (cause) =>
    `${addressOf(cause)} is in the configuration${atWords(cause)}, and the state has no object of it`,
  'no-block': (cause) =>
    `the configuration has no block for ${addressOf(cause)}${cause.name === undefined || cause.name === '' ? '' : `, where it moved from ${cause.name}`}`,
  'removed-block': (cause) => `a removed block says so${atWords(cause)}`,
  'no-module': (cause) => `the configuration does not call ${addressOf(cause)}`,
  repetition: repetitionWords,
  'repetition-form': (cause) =>
    cause.name === undefined || cause.name === ''
      ? `${addressOf(cause)} has neither count nor for_each now${atWords(cause)}`
      : `${addressOf(cause)} has ${cause.name} now${atWords(cause)}, and other keys by it`,
  moved: (cause) =>
    cause.range === undefined
      ? `it moved from ${cause.name}, for count came or went`
      : `it moved from ${cause.name}${atWords(cause)}`,
  import: (cause) =>
    `an import block adopts the object${cause.name === undefined || cause.name === '' ? '' : ` ${quoteText(cause.name)}`}${atWords(cause)}`,
  forget: (cause) =>
    cause.name === 'state'
      ? 'the state says destroy = false: the object is left as it is'
      : `destroy = false leaves the object as it is${atWords(cause)}`,
  deposed: (cause) => `the object ${cause.name} is left over from a replacement`,
  'schema-upgrade': () => "the object was stored by another version of the provider's schema",
  sensitivity: sensitivityWords,
  'unknown-configuration': (cause) =>
    `${partWords(cause) === '' ? 'what it is configured with' : partWords(cause)} is not known yet${atWords(cause)}`,
  deferred: (cause) => `${deferredWords(cause.name)}${atWords(cause)}`,
  generated: (cause) => `its configuration was generated from the object${atWords(cause)}`,
  check: (cause) =>
    `it belongs to check ${quoteText(cause.name)}${atWords(cause)}, and is read in every run`,
  'read-now': () => 'it was read while planning, for everything that it needs is known',
  'action-trigger': (cause) => `${cause.name} of ${addressOf(cause)} triggers it${atWords(cause)}`,
  'invoke-option': () => '-invoke asks for it',
  equal: (cause) =>
    `${partWords(cause) === '' ? 'the object is as the configuration asks for' : `${partWords(cause)} stays as it is`}${atWords(cause)}`,
  ignored: (cause) =>
    `ignore_changes hides ${partWords(cause)}${atWords(cause)}: the configuration says ${valueOrNothing(cause.after)}, the object has ${valueOrNothing(cause.before)}`,
  normalised: (cause) =>
    `the provider takes ${valueOrNothing(cause.after)}${atWords(cause)} for the same as ${valueOrNothing(cause.before)}, which the object has as ${partWords(cause)}`,
  'refresh-only': () => 'a refresh-only plan changes no object',
  'not-targeted': () => '-target names other resources, and nothing that they need',
  incomplete: () => 'planning failed, and what is to become of it was not decided',
  excluded: () => '-exclude names it, or what it builds on',
  'new-output': (cause) =>
    `${addressOf(cause)} is in the configuration${atWords(cause)}, and the state has no value of it`,
};

type CauseAs<K extends CauseKind> = Extract<Cause, { readonly kind: K }>;

function sourceWords(cause: CauseAs<'source'>): string {
  const { name, before, after } = cause;
  const location = cause.range === undefined ? 'the configuration' : placeWords(cause.range);
  const storedText = before === undefined ? '' : `; the state has ${valueWords(before)}`;
  if (name !== undefined && name !== '')
    return before === undefined
      ? `${location} has ${quoteText(name)}`
      : `${location} has no ${quoteText(name)} any more${storedText}`;
  return after === undefined
    ? `${location} says so`
    : `${location} says ${valueWords(after)}${storedText}`;
}

function namedWords(cause: CauseAs<'argument' | 'local' | 'output'>): string {
  const resultText = cause.after === undefined ? '' : ` gives ${valueWords(cause.after)}`;
  return `${subjectWords(cause)}${resultText}${atWords(cause)}`;
}

function resourceWords(cause: CauseAs<'resource'>): string {
  const { action } = cause;
  const change = partWords(cause) === '' ? '' : changeWords(cause);
  const isChanged = action !== undefined && action !== 'no-op';
  const planned = isChanged ? `; ${addressOf(cause)} ${actionWords(action)}` : '';
  return `${subjectWords(cause)}${change}${atWords(cause)}${planned}`;
}

function driftWords(cause: CauseAs<'drift'>): string {
  const address = addressOf(cause);
  if (cause.present === false) return `${address} was removed outside`;
  return partWords(cause) === ''
    ? `${address} was changed outside`
    : `${partWords(cause)} was changed outside${fromTo(cause.before, cause.after)}`;
}

function sensitivityWords(cause: CauseAs<'sensitivity'>): string {
  const at = atWords(cause);
  if (cause.present === undefined) return `only what is sensitive differs${at}`;
  if (cause.present) return `${subjectWords(cause)} is sensitive${at}`;
  return `${subjectWords(cause)} is not sensitive${partWords(cause) === '' ? '' : ' any more'}${at}`;
}

/** Describes the address and the attribute of a cause. */
function subjectWords(cause: Cause): string {
  const attribute = partWords(cause);
  const address = addressOf(cause);
  return attribute === '' || attribute.startsWith('[')
    ? `${address}${attribute}`
    : `${address}.${attribute}`;
}

function addressOf({ address = '' }: Cause): string {
  return address;
}

function partWords({ attribute }: Cause): string {
  return attribute === undefined ? '' : pathWords(attribute);
}

function atWords({ range }: Cause): string {
  return range === undefined ? '' : ` (${placeWords(range)})`;
}

function isWords({ after }: Cause): string {
  return after === undefined ? '' : ` is ${valueWords(after)}`;
}

function changeWords({ before, after }: Cause): string {
  return changes(before, after);
}

function storedWords({ before }: Cause): string {
  return before === undefined ? '' : `; the state has ${valueWords(before)}`;
}

function valueOrNothing(value: Value | undefined): string {
  return value === undefined ? 'nothing' : valueWords(value);
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

function originWords({ origin }: CauseAs<'variable'>): string {
  if (origin === undefined) return '';
  const { source, name, line } = origin;
  const location = name === undefined ? '' : line === undefined ? name : `${name}:${line}`;
  switch (source) {
    case 'default':
      return `, its default (${location})`;
    case 'cli':
      return ', given by -var';
    case 'file':
    case 'autoFile':
      return `, given in ${location}`;
    case 'env':
      return `, given by ${location} in the environment`;
    case 'input':
      return ', typed in';
    case 'plan':
    case 'caller':
      return ', given to the plan';
  }
}

function repetitionWords(cause: CauseAs<'repetition'>): string {
  const { name = '', key } = cause;
  const address = addressOf(cause);
  const at = atWords(cause);
  if (name === 'for_each' && typeof key === 'string') {
    const has = cause.present === true ? 'has the key' : 'has no key';
    return `for_each of ${address} ${has} ${quoteText(key)}${at}`;
  }
  const now = isWords(cause);
  if (name === 'each.value') return `${address}${now}${at}`;
  if (name !== 'count') return `${name} of ${address}${now}${at}`;
  return `count of ${address}${now}${at}${storedWords(cause)}`;
}
