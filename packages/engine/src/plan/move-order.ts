import {
  type InstanceKey,
  type ModuleStep,
  type MoveEndpoint,
  moveEndpointText,
} from '@terrane/addresses';
import { type Graph, graphOf, orderOf } from '@terrane/graph';
import { type Diagnostic, errorDiagnostic } from '@terrane/hcl';
import type { Module, Moved } from '../config/model.ts';

/** A `moved` block and the module that holds it. */
export interface MoveStatement {
  readonly module: Module;
  readonly moved: Moved;
}

/**
 * Returns the order in which `moved` blocks take effect: moves to an address before moves from it, and moves within a
 * module before moves of the module. A cycle is an error, and no move takes effect.
 */
export function orderMoves(statements: readonly MoveStatement[]): {
  readonly ordered: readonly MoveStatement[];
  readonly diagnostics: readonly Diagnostic[];
} {
  if (statements.length < 2) return { ordered: statements, diagnostics: [] };
  const ends = statements.map((statement) => endsOf(statement));
  const graph: Graph = graphOf(
    ends.map((a) => ends.flatMap((b, index) => (a !== b && dependsOn(a, b) ? [index] : []))),
  );
  const { order, cycles } = orderOf(graph);
  const at = (id: number): readonly MoveStatement[] => statements.slice(id, id + 1);
  return {
    ordered: [...order].flatMap(at),
    diagnostics: cycles.map((cycle) => cycleError(cycle.flatMap(at))),
  };
}

/** One end of a move, from the root; keys of the enclosing modules are any. */
interface End {
  readonly kind: 'call' | 'moduleInstance' | 'resource' | 'instance';
  readonly steps: readonly {
    readonly name: string;
    readonly key: InstanceKey;
    readonly any: boolean;
  }[];
  readonly resource: string;
  readonly key: InstanceKey;
  readonly depth: number;
}

interface Ends {
  readonly from: End;
  readonly to: End;
}

function endsOf({ module, moved }: MoveStatement): Ends {
  const isWholeResource = !hasKey(moved.from) && !hasKey(moved.to);
  const end = (endpoint: MoveEndpoint): End => {
    const around = module.path.names.map((name) => ({ name, key: undefined, any: true }));
    const isModule = endpoint.kind === 'module';
    const last = endpoint.steps.length - 1;
    const ownSteps = endpoint.steps.map((step, position) => ({
      name: step.name,
      key: step.key,
      any: isModule && isWholeResource && position === last,
    }));
    const { resource, key } = isModule ? { resource: undefined, key: undefined } : endpoint;
    return {
      kind: isModule
        ? isWholeResource
          ? 'call'
          : 'moduleInstance'
        : isWholeResource
          ? 'resource'
          : 'instance',
      steps: [...around, ...ownSteps],
      resource: resource?.text ?? '',
      key,
      depth: module.path.names.length,
    };
  };
  return { from: end(moved.from), to: end(moved.to) };
}

/** Returns true if an endpoint of a move has a key, so that the other endpoint is a single instance too. */
export function hasKey(endpoint: MoveEndpoint): boolean {
  if (endpoint.kind === 'resource') return endpoint.hasKey;
  const last: ModuleStep | undefined = endpoint.steps.at(-1);
  return last?.hasKey === true;
}

function dependsOn(a: Ends, b: Ends): boolean {
  if (chains(a.from, b.to)) return true;
  const nested =
    isWithin(a.from, b.to) ||
    isWithin(a.to, b.to) ||
    isWithin(b.from, a.from) ||
    isWithin(b.to, a.from);
  if (!nested) return false;
  // An outer block that only changes keys of a module matches inner moves at both endpoints.
  return a.to.depth >= b.to.depth || !isReindex(a);
}

function isReindex({ from, to }: Ends): boolean {
  if (from.kind !== 'moduleInstance') return false;
  return (
    from.steps.length === to.steps.length &&
    from.steps.every(({ name }, at) => to.steps[at]?.name === name)
  );
}

/** Returns true if the target of one move may be the source of another. */
function chains(from: End, to: End): boolean {
  if (from.steps.length !== to.steps.length || !canMatch(to, from)) return false;
  if (from.resource === '' || to.resource === '') return from.resource === to.resource;
  return from.kind === to.kind && from.resource === to.resource && from.key === to.key;
}

/** Returns true if one endpoint may be part of the other. */
function isWithin(inner: End, outer: End): boolean {
  if (outer.steps.length > inner.steps.length || !canMatch(outer, inner)) return false;
  const isLonger = inner.steps.length > outer.steps.length;
  switch (outer.kind) {
    case 'call':
      return inner.kind !== 'call' || isLonger;
    case 'moduleInstance':
      return inner.resource !== '' || isLonger;
    case 'resource':
      return !isLonger && inner.kind === 'instance' && inner.resource === outer.resource;
    case 'instance':
      return false;
  }
}

function canMatch(outer: End, inner: End): boolean {
  return outer.steps.every((step, position) => {
    const other = inner.steps[position];
    if (other?.name !== step.name) return false;
    return step.any || other.any || step.key === other.key;
  });
}

function cycleError(statements: readonly MoveStatement[]): Diagnostic {
  const lines = statements.map(({ module, moved }) => {
    const { filename, from } = moved.range;
    const at = `${filename}:${from.line},${from.column}`;
    const around = module.path.names.map((name) => `module.${name}[*].`).join('');
    return `\n  - ${at}: ${around}${endText(moved.from, moved)} → ${around}${endText(moved.to, moved)}`;
  });
  return errorDiagnostic(
    'Cyclic dependency in move statements',
    `The following chained move statements form a cycle, and so there is no final location to move objects to:${lines.sort().join('')}\n\nA chain of move statements must end with an address that doesn't appear in any other statements, and which typically also refers to an object still declared in the configuration.`,
  );
}

/** Formats an endpoint as Terraform does: `[*]` represents all instances. */
function endText(endpoint: MoveEndpoint, { from, to }: Moved): string {
  return hasKey(from) || hasKey(to)
    ? moveEndpointText(endpoint)
    : `${moveEndpointText(endpoint)}[*]`;
}
