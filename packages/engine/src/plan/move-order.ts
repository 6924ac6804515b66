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
  const possible = possibleDependencies(ends);
  const graph: Graph = graphOf(
    ends.map((a) =>
      possible(a).filter((index) => {
        const b = ends[index];
        return b !== undefined && a !== b && dependsOn(a, b);
      }),
    ),
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

/**
 * Returns a function that lists, in order, the moves on which one may depend: those with an endpoint that is equal to
 * one of its endpoints, contains it or is contained in it, as {@link dependsOn} requires.
 */
function possibleDependencies(all: readonly Ends[]): (ends: Ends) => number[] {
  const targets = new PlaceIndex();
  const inSources = new PlaceIndex();
  const inTargets = new PlaceIndex();
  for (const [id, { from, to }] of all.entries()) {
    targets.add(placeOf(to), id);
    for (const place of placesAround(from)) inSources.add(place, id);
    for (const place of placesAround(to)) inTargets.add(place, id);
  }
  return ({ from, to }) => {
    const found = new Set<number>();
    const own = placeOf(from);
    targets.find(own, found);
    for (const place of placesAround(from)) targets.find(place, found);
    for (const place of placesAround(to)) targets.find(place, found);
    inSources.find(own, found);
    inTargets.find(own, found);
    return [...found].sort((a, b) => a - b);
  };
}

/** Where an endpoint is: the steps of its module, and what it is within the module, as a text; "" for the module. */
interface Place {
  readonly steps: End['steps'];
  readonly within: string;
}

function placeOf({ kind, steps, resource, key }: End): Place {
  return { steps, within: resource === '' ? '' : placeText(kind, resource, key) };
}

/** Returns the places of all endpoints that contain an endpoint. */
function placesAround({ kind, steps, resource }: End): readonly Place[] {
  const places: Place[] = steps.map((_, at) => ({ steps: steps.slice(0, at + 1), within: '' }));
  if (kind === 'instance')
    places.push({ steps, within: placeText('resource', resource, undefined) });
  return places;
}

function placeText(kind: End['kind'], resource: string, key: InstanceKey): string {
  return `${kind} ${resource} ${JSON.stringify(key)}`;
}

/** Finds the places whose steps may match those of another place. */
class PlaceIndex {
  /** by names and the part within the module; then by the positions of steps with any key; then by the other keys */
  readonly #ids = new Map<string, Map<string, Map<string, number[]>>>();

  add({ steps, within }: Place, id: number): void {
    const alike = entryOf(
      this.#ids,
      namesOf(steps, within),
      () => new Map<string, Map<string, number[]>>(),
    );
    const byKeys = entryOf(alike, patternOf(steps), () => new Map<string, number[]>());
    entryOf(byKeys, keysOf(steps), (): number[] => []).push(id);
  }

  find({ steps, within }: Place, found: Set<number>): void {
    const own = patternOf(steps);
    for (const [pattern, byKeys] of this.#ids.get(namesOf(steps, within)) ?? []) {
      const lists = pattern === own ? [byKeys.get(keysOf(steps)) ?? []] : byKeys.values();
      for (const list of lists) for (const id of list) found.add(id);
    }
  }
}

function namesOf(steps: End['steps'], within: string): string {
  return `${steps.map(({ name }) => name).join('.')} ${within}`;
}

function patternOf(steps: End['steps']): string {
  return steps.map(({ any }) => (any ? '*' : '=')).join('');
}

function keysOf(steps: End['steps']): string {
  return JSON.stringify(steps.map(({ any, key }) => (any ? '*' : [key])));
}

/** Returns the value of a key, which is created if there is none. */
export function entryOf<K, V>(map: Map<K, V>, key: K, create: () => V): V {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = create()));
  return value;
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
