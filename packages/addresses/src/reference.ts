import { formatNumber, quoteText } from '@terrane/cty';
import { errorDiagnostic, rangeBetween } from '@terrane/hcl';
import type { Diagnostic, Range, Traversal, TraversalStep } from '@terrane/hcl';
import { ActionAddr } from './action-addr.ts';
import { instanceKeyOf, instanceKeyText, type InstanceKey } from './instance-key.ts';
import { isQueryFile } from './query-file.ts';
import { ResourceAddr, type ResourceMode } from './resource-addr.ts';

/** The object that a traversal refers to. */
export type Referenceable =
  | { readonly kind: 'variable' | 'local'; readonly name: string }
  | {
      readonly kind: 'moduleCall';
      readonly name: string;
      /** for `module.x[k]` and `module.x[k].out` */
      readonly key?: InstanceKey;
      readonly output?: string;
    }
  | {
      readonly kind: 'resource';
      readonly resource: ResourceAddr;
      /** the literal instance key, if present */
      readonly key?: InstanceKey;
      readonly hasKey: boolean;
    }
  | { readonly kind: 'count' | 'each' | 'path'; readonly name: string }
  | {
      readonly kind: 'terraform';
      readonly name: string;
      /** OpenTofu's other name for the same object */
      readonly alias?: 'tofu';
    }
  /** the resource instance that contains the expression; `caller`: the one that triggers an action */
  | { readonly kind: 'self' | 'caller' }
  | {
      readonly kind: 'action';
      readonly action: ActionAddr;
      /** the literal instance key, if present */
      readonly key?: InstanceKey;
      readonly hasKey: boolean;
    }
  /** in test files only */
  | { readonly kind: 'run' | 'check' | 'output'; readonly name: string };

/** A traversal, split into the address of its subject and the steps after it. */
export interface Reference {
  readonly subject: Referenceable;
  /** the number of steps in the subject */
  readonly consumed: number;
  /** the range of the subject */
  readonly range: Range;
  readonly traversal: Traversal;
}

/** The result of {@link parseReference}: the reference, or diagnostics. */
export interface ParsedReference {
  readonly reference?: Reference;
  readonly diagnostics: readonly Diagnostic[];
}

const parsed: WeakMap<Traversal, ParsedReference> = new WeakMap();

/** Parses the subject of an absolute traversal in an expression (addrs.ParseRef). Results are cached per traversal. */
export function parseReference(traversal: Traversal): ParsedReference {
  let cached = parsed.get(traversal);
  if (cached === undefined) {
    cached = parse(traversal);
    parsed.set(traversal, cached);
  }
  return cached;
}

const parsedInTests: WeakMap<Traversal, ParsedReference> = new WeakMap();

/** Parses a reference in a test file, which may also refer to `output`, `check` and `run` (addrs.ParseRefFromTestingScope). */
export function parseTestReference(traversal: Traversal): ParsedReference {
  let cached = parsedInTests.get(traversal);
  if (cached === undefined) {
    cached = parseInTest(traversal);
    parsedInTests.set(traversal, cached);
  }
  return cached;
}

function parseInTest(traversal: Traversal): ParsedReference {
  const [root] = traversal.steps;
  if (root?.kind !== 'root') return parseReference(traversal);
  switch (root.name) {
    case 'output':
    case 'check':
    case 'run':
      return parseSingleAttribute(traversal, root.name, root.name);
    case 'plan':
    case 'state':
      return reservedNameError(root.name, root.range);
    default:
      return parseReference(traversal);
  }
}

/** The subject as an address: `var.a`, `module.m[0].out`, `data.a.b["k"]`. */
export function referenceableText(subject: Referenceable): string {
  switch (subject.kind) {
    case 'variable':
      return `var.${subject.name}`;
    case 'local':
      return `local.${subject.name}`;
    case 'moduleCall': {
      const output = subject.output === undefined ? '' : `.${subject.output}`;
      return `module.${subject.name}${instanceKeyText(subject.key)}${output}`;
    }
    case 'resource':
      return subject.resource.text + instanceKeyText(subject.key);
    case 'self':
    case 'caller':
      return subject.kind;
    case 'action':
      return subject.action.text + instanceKeyText(subject.key);
    case 'count':
    case 'each':
    case 'path':
    case 'run':
    case 'check':
    case 'output':
      return `${subject.kind}.${subject.name}`;
    case 'terraform':
      return `${subject.alias ?? 'terraform'}.${subject.name}`;
  }
}

/** The whole reference as one would write it (Reference.DisplayString). */
export function referenceText(reference: Reference): string {
  let text = referenceableText(reference.subject);
  for (const step of reference.traversal.steps.slice(reference.consumed)) {
    if (step.kind === 'attr') text += `.${step.name}`;
    else if (step.kind === 'index') {
      const key = step.key;
      text += key.type.kind === 'string' ? `[${quoteText(key.asString())}]` : '';
      text += key.type.kind === 'number' ? `[${formatNumber(key.asNum())}]` : '';
    }
  }
  return text;
}

function fail(detail: string, range: Range, summary = 'Invalid reference'): ParsedReference {
  return { diagnostics: [errorDiagnostic(summary, detail, range)] };
}

function parsedReference(
  subject: Referenceable,
  consumed: number,
  traversal: Traversal,
  from: Range,
  to: Range,
): ParsedReference {
  const range = rangeBetween(from, to);
  return { reference: { subject, consumed, range, traversal }, diagnostics: [] };
}

const RESOURCE_ROOTS: ReadonlyMap<string, { mode: ResourceMode; what: string }> = new Map([
  ['data', { mode: 'data', what: 'the data source type' }],
  ['resource', { mode: 'managed', what: 'the resource type' }],
  ['ephemeral', { mode: 'ephemeral', what: 'the ephemeral resource type' }],
  ['list', { mode: 'list', what: 'the list resource type' }],
]);

function parse(traversal: Traversal): ParsedReference {
  const steps = traversal.steps;
  const root = steps[0];
  if (root?.kind !== 'root') {
    return fail('The left operand does not support this operation.', traversal.range);
  }
  switch (root.name) {
    case 'count':
    case 'each':
    case 'path':
    case 'terraform':
      return parseSingleAttribute(traversal, root.name, root.name);
    case 'tofu': {
      const name = attributeAfterRoot(traversal, root.name);
      if ('diagnostics' in name) return name;
      const subject = { kind: 'terraform', name: name.name, alias: root.name } as const;
      return parsedReference(subject, 2, traversal, traversal.range, name.range);
    }
    case 'local':
      return parseSingleAttribute(traversal, root.name, 'local');
    case 'var':
      return parseSingleAttribute(traversal, root.name, 'variable');
    case 'self':
    case 'caller':
      return parsedReference({ kind: root.name }, 1, traversal, root.range, root.range);
    case 'module':
      return parseModule(traversal);
    case 'action':
      return parseAction(traversal);
    case 'template':
    case 'lazy':
    case 'arg':
      return reservedNameError(root.name, root.range);
    default: {
      // Outside query files, `list` is an ordinary resource type.
      const isPlain = root.name === 'list' && !isQueryFile(root.range.filename);
      const prefix = isPlain ? undefined : RESOURCE_ROOTS.get(root.name);
      if (prefix === undefined) return parseResource(traversal, 'managed', 0);
      if (steps.length < 3) {
        return fail(
          `The "${root.name}" object must be followed by two attribute names: ${prefix.what} and the ${root.name === 'list' ? 'list ' : ''}resource name.`,
          traversal.range,
        );
      }
      return parseResource(traversal, prefix.mode, 1);
    }
  }
}

function reservedNameError(name: string, range: Range): ParsedReference {
  return fail(
    `The symbol name "${name}" is reserved for use in a future Terraform version. If you are using a provider that already uses this as a resource type name, add the prefix "resource." to force interpretation as a resource type name.`,
    range,
    'Reserved symbol name',
  );
}

function parseSingleAttribute(
  traversal: Traversal,
  root: string,
  kind: 'variable' | 'local' | 'count' | 'each' | 'path' | 'terraform' | 'output' | 'check' | 'run',
): ParsedReference {
  const name = attributeAfterRoot(traversal, root);
  if ('diagnostics' in name) return name;
  return parsedReference({ kind, name: name.name }, 2, traversal, traversal.range, name.range);
}

function attributeAfterRoot(
  traversal: Traversal,
  root: string,
): ParsedReference | (TraversalStep & { readonly kind: 'attr' }) {
  const [rootStep, step] = traversal.steps;
  if (step === undefined) {
    return fail(
      `The "${root}" object cannot be accessed directly. Instead, access one of its attributes.`,
      rootStep?.range ?? traversal.range,
    );
  }
  if (step.kind !== 'attr') {
    return fail(`The "${root}" object does not support this operation.`, step.range);
  }
  return step;
}

function parseModule(traversal: Traversal): ParsedReference {
  const name = attributeAfterRoot(traversal, 'module');
  if ('diagnostics' in name) return name;
  const steps = traversal.steps;
  const call = { kind: 'moduleCall', name: name.name } as const;
  let at = 2;
  let step = steps[at];
  if (step === undefined) return parsedReference(call, at, traversal, traversal.range, name.range);
  let keyed: typeof call & { readonly key?: InstanceKey } = call;
  if (step.kind === 'index') {
    const key = instanceKeyOf(step.key);
    if ('error' in key) {
      return fail(
        `Invalid index for module instance: ${key.error}.`,
        step.range,
        'Invalid index key',
      );
    }
    keyed = { ...call, key: key.key };
    const indexRange = step.range;
    at++;
    step = steps[at];
    if (step === undefined)
      return parsedReference(keyed, at, traversal, traversal.range, indexRange);
  }
  if (step.kind === 'attr') {
    return parsedReference(
      { ...keyed, output: step.name },
      at + 1,
      traversal,
      traversal.range,
      step.range,
    );
  }
  return fail('Module instance objects do not support this operation.', step.range);
}

const TYPE_OBJECTS: Readonly<Record<ResourceMode, string>> = {
  managed: 'resource',
  data: 'data',
  ephemeral: 'ephemeral',
  list: 'list',
};

const REFERENCE_TO: Readonly<Record<ResourceMode, string>> = {
  managed: 'a resource type',
  data: 'a data source',
  ephemeral: 'an ephemeral resource type',
  list: 'a list resource type',
};

function parseResource(traversal: Traversal, mode: ResourceMode, from: number): ParsedReference {
  const steps = traversal.steps;
  const type = steps[from];
  const name = steps[from + 1];
  if (type === undefined || name === undefined) {
    return fail(
      'A reference to a resource type must be followed by at least one attribute access, specifying the resource name.',
      (type ?? traversal).range,
    );
  }
  if (type.kind !== 'root' && type.kind !== 'attr') {
    return fail(`The "${TYPE_OBJECTS[mode]}" object does not support this operation.`, type.range);
  }
  if (name.kind !== 'attr') {
    return fail(
      `A reference to ${REFERENCE_TO[mode]} must be followed by at least one attribute access, specifying the resource name.`,
      name.range,
    );
  }
  const resource = ResourceAddr.of(mode, type.name, name.name);
  const index = steps[from + 2];
  if (index?.kind !== 'index') {
    const subject: Referenceable = { kind: 'resource', resource, hasKey: false };
    return parsedReference(subject, from + 2, traversal, traversal.range, name.range);
  }
  const key = instanceKeyOf(index.key);
  if ('error' in key) {
    return fail(
      `Invalid index for resource instance: ${key.error}.`,
      index.range,
      'Invalid index key',
    );
  }
  const subject: Referenceable = { kind: 'resource', resource, key: key.key, hasKey: true };
  return parsedReference(subject, from + 3, traversal, traversal.range, index.range);
}

function parseAction(traversal: Traversal): ParsedReference {
  const [, type, name, index] = traversal.steps;
  if (type === undefined || name === undefined) {
    return fail(
      'The "action" object must be followed by two attribute names: the action type and the action name.',
      traversal.range,
    );
  }
  if (type.kind !== 'attr') {
    return fail('The left operand does not support this operation.', type.range);
  }
  if (name.kind !== 'attr') {
    return fail(
      'A reference to an action must be followed by at least one attribute access, specifying the action name.',
      name.range,
    );
  }
  const action = ActionAddr.of(type.name, name.name);
  let parsedAction: ParsedReference;
  if (index?.kind === 'index') {
    const key = instanceKeyOf(index.key);
    if ('error' in key) {
      const detail = `Invalid index for action instance: ${key.error}.`;
      return fail(detail, index.range, 'Invalid index key');
    }
    const subject: Referenceable = { kind: 'action', action, key: key.key, hasKey: true };
    parsedAction = parsedReference(subject, 4, traversal, traversal.range, index.range);
  } else {
    const subject: Referenceable = { kind: 'action', action, hasKey: false };
    parsedAction = parsedReference(subject, 3, traversal, traversal.range, name.range);
  }
  const extra = traversal.steps[parsedAction.reference?.consumed ?? 0];
  if (extra === undefined) return parsedAction;
  const detail = 'Actions have no referenceable attributes.';
  const summary = 'Unexpected attribute in action reference';
  return { ...parsedAction, diagnostics: [errorDiagnostic(summary, detail, extra.range)] };
}
