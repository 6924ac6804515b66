import {
  AbsResource,
  compareAbsResources,
  ConfigResource,
  type InstanceAddr,
  type ModuleInstance,
  moduleInstanceOf,
  modulePathOf,
  type MoveEndpoint,
  type TargetAddr,
  targetContains,
} from '@terrane/addresses';
import { quoteText } from '@terrane/cty';
import { type Diagnostic, errorDiagnostic, type Range } from '@terrane/hcl';
import type { Configuration, Moved } from '../config/model.ts';
import type { Evaluation } from '../evaluate/evaluation.ts';
import type { ResourceCell } from '../evaluate/module-cells.ts';
import { hasInstance } from '../evaluate/repetition.ts';
import { hasKey } from './move-order.ts';

/** Returns errors for `removed` blocks whose resource or module is still declared, once per object. */
export function removedProblems(configuration: Configuration): readonly Diagnostic[] {
  const problems = new Map<string, Diagnostic>();
  for (const module of configuration.modules.values()) {
    for (const { from } of module.removed) {
      const path = modulePathOf(
        from.module.names.map((name) => ({ name, hasKey: false })),
        module.path,
      );
      const target = configuration.modules.get(path.text);
      const { resource } = from;
      const kind = resource === undefined ? 'module' : 'resource';
      const range =
        resource === undefined ? target?.call?.range : target?.resources.get(resource.text)?.range;
      if (range === undefined) continue;
      const text = resource === undefined ? path.text : ConfigResource.of(path, resource).text;
      problems.set(
        text,
        errorDiagnostic(
          `Removed ${kind} still exists`,
          `This statement declares that ${text} was removed, but it is still declared in configuration.`,
          range,
        ),
      );
    }
  }
  return [...problems.values()];
}

/**
 * Errors for `moved` blocks that contradict each other, or what the configuration declares now. Which
 * instances it declares is known only once it is evaluated: call this after planning.
 */
export function moveProblems(
  configuration: Configuration,
  declared: Evaluation,
): readonly Diagnostic[] {
  const problems: Diagnostic[] = [];
  const byFrom = new Map<string, Claim>();
  const byTo = new Map<string, Claim>();
  for (const module of configuration.modules.values()) {
    for (const moved of module.moved) {
      for (const { instance } of declared.instancesOf(module)) {
        checkMove(moved, instance, { configuration, declared, byFrom, byTo, problems });
      }
    }
  }
  return problems;
}

/** The error for objects that moved where the targets of a run do not name both their addresses. */
export function targetedMoveProblems(
  previous: ReadonlyMap<InstanceAddr, InstanceAddr>,
  targets: readonly TargetAddr[],
): readonly Diagnostic[] {
  if (targets.length === 0) return [];
  const excluded = new Set<AbsResource>();
  for (const [to, from] of previous) {
    for (const addr of [from, to]) {
      if (!targets.some((target) => targetContains(target, addr))) excluded.add(addr.resource);
    }
  }
  if (excluded.size === 0) return [];
  const options = [...excluded]
    .sort(compareAbsResources)
    .map(({ text }) => `\n  -target=${quoteText(text)}`);
  return [
    errorDiagnostic(
      'Moved resource instances excluded by targeting',
      `Resource instances in your current state have moved to new addresses in the latest configuration. Terraform must include those resource instances while planning in order to ensure a correct result, but your -target=... options do not fully cover all of those resource instances.\n\nTo create a valid plan, either remove your -target=... options altogether or add the following additional target options:${options.join('')}\n\nNote that adding these options may include further additional resource instances in your plan, in order to respect object dependencies.`,
    ),
  ];
}

/** The error for objects that moved where one of their addresses is excluded from a run. */
export function excludedMoveProblems(
  previous: ReadonlyMap<InstanceAddr, InstanceAddr>,
  excludes: readonly TargetAddr[],
): readonly Diagnostic[] {
  if (excludes.length === 0) return [];
  const excluded = new Set<AbsResource>();
  for (const [to, from] of previous) {
    for (const addr of [from, to]) {
      if (excludes.some((target) => targetContains(target, addr))) excluded.add(addr.resource);
    }
  }
  if (excluded.size === 0) return [];
  const options = [...excluded]
    .sort(compareAbsResources)
    .map(({ text }) => `\n  -exclude=${quoteText(text)}`);
  return [
    errorDiagnostic(
      'Moved resource instances excluded by targeting',
      `Resource instances in your current state have moved to new addresses in the latest configuration. Terraform must include those resource instances while planning in order to ensure a correct result, but your -exclude=... options exclude some of those resource instances.\n\nTo create a valid plan, either remove your -exclude=... options altogether or just specifically remove the following options:${options.join('')}\n\nNote that removing these options may include further additional resource instances in your plan, in order to respect object dependencies.`,
    ),
  ];
}

/** An earlier statement about the same address. */
interface Claim {
  readonly other: Moveable;
  readonly range: Range;
}

interface Checks {
  readonly configuration: Configuration;
  readonly declared: Evaluation;
  readonly byFrom: Map<string, Claim>;
  readonly byTo: Map<string, Claim>;
  readonly problems: Diagnostic[];
}

/** The objects that a statement moves: all instances of a resource or call, or a single one. */
type Moveable =
  | {
      readonly kind: 'call' | 'moduleInstance';
      readonly module: ModuleInstance;
      readonly text: string;
    }
  | {
      readonly kind: 'resource' | 'resourceInstance';
      readonly resource: AbsResource;
      readonly key: string | number | undefined;
      readonly text: string;
    };

const NOUNS: Readonly<Record<Moveable['kind'], readonly [noun: string, short: string]>> = {
  call: ['module call', 'call'],
  moduleInstance: ['module instance', 'instance'],
  resource: ['resource', 'resource'],
  resourceInstance: ['resource instance', 'instance'],
};

function checkMove(moved: Moved, base: ModuleInstance, checks: Checks): void {
  const { problems, byFrom, byTo } = checks;
  const fail = (summary: string, detail: string): void => {
    problems.push(errorDiagnostic(summary, detail, moved.range));
  };
  const isWhole = !hasKey(moved.from) && !hasKey(moved.to);
  const from = moveableOf(moved.from, base, isWhole);
  const to = moveableOf(moved.to, base, isWhole);
  if (from.text === to.text) {
    fail(
      'Redundant move statement',
      `This statement declares a move from ${from.text} to the same address, which is the same as not declaring this move at all.`,
    );
    return;
  }
  const [noun, short] = NOUNS[from.kind];
  if (isDeclared(from, checks.declared)) {
    const range = declarationOf(from, checks.configuration);
    const at = range === undefined ? '' : ` at ${placeText(range)}`;
    fail(
      'Moved object still exists',
      `This statement declares a move from ${from.text}, but that ${noun} is still declared${at}.\n\nChange your configuration so that this ${short} will be declared as ${to.text} instead.`,
    );
  }
  // A call and its instance without a key read the same but are not.
  const fromKey = `${from.kind} ${from.text}`;
  const toKey = `${to.kind} ${to.text}`;
  const before = byFrom.get(fromKey);
  if (before === undefined) byFrom.set(fromKey, { other: to, range: moved.range });
  else if (before.other.text !== to.text) {
    fail(
      'Ambiguous move statements',
      `A statement at ${placeText(before.range)} declared that ${from.text} moved to ${before.other.text}, but this statement instead declares that it moved to ${to.text}.\n\nEach ${noun} can move to only one destination ${short}.`,
    );
  }
  const previous = byTo.get(toKey);
  if (previous === undefined) byTo.set(toKey, { other: from, range: moved.range });
  else if (previous.other.text !== from.text) {
    fail(
      'Ambiguous move statements',
      `A statement at ${placeText(previous.range)} declared that ${previous.other.text} moved to ${to.text}, but this statement instead declares that ${from.text} moved there.\n\nEach ${noun} can have moved from only one source ${short}.`,
    );
  }
}

function moveableOf(end: MoveEndpoint, base: ModuleInstance, isWhole: boolean): Moveable {
  const module = moduleInstanceOf(end.steps, base);
  if (end.kind === 'module') {
    return { kind: isWhole ? 'call' : 'moduleInstance', module, text: module.text };
  }
  const resource = AbsResource.of(module, end.resource);
  return isWhole
    ? { kind: 'resource', resource, key: undefined, text: resource.text }
    : { kind: 'resourceInstance', resource, key: end.key, text: resource.instance(end.key).text };
}

function isDeclared(moveable: Moveable, declared: Evaluation): boolean {
  switch (moveable.kind) {
    case 'moduleInstance':
      return declared.find(moveable.module) !== undefined;
    case 'call': {
      const { parent, path } = moveable.module;
      const name = path.names.at(-1);
      if (parent === undefined || name === undefined) return false;
      return declared.find(parent)?.calls.has(name) === true;
    }
    case 'resource':
      return cellOf(moveable.resource, declared) !== undefined;
    case 'resourceInstance': {
      const expansion = cellOf(moveable.resource, declared)?.expansion;
      return expansion !== undefined && hasInstance(expansion, moveable.key);
    }
  }
}

function cellOf({ module, resource }: AbsResource, declared: Evaluation): ResourceCell | undefined {
  return declared.find(module)?.resources.get(resource.text);
}

/** Returns the declaration of an object; for an instance, the expression that determines the instances. */
function declarationOf(moveable: Moveable, configuration: Configuration): Range | undefined {
  const isInstance = moveable.kind === 'moduleInstance' || moveable.kind === 'resourceInstance';
  const declaration =
    'resource' in moveable
      ? configuration.modules
          .get(moveable.resource.module.path.text)
          ?.resources.get(moveable.resource.resource.text)
      : configuration.modules.get(moveable.module.path.text)?.call;
  if (declaration === undefined || !isInstance) return declaration?.range;
  return (
    declaration.forEach?.range ??
    declaration.count?.range ??
    declaration.enabled?.range ??
    declaration.range
  );
}

function placeText({ filename, from }: Range): string {
  return `${filename}:${from.line},${from.column}`;
}
