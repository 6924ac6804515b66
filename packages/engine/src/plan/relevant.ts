import type { Path } from '@terrane/cty';
import { pathKey } from '@terrane/cty';
import { variablesInBody } from '@terrane/hcl';
import { decodeSpec } from '@terrane/provider';
import { parseReference, type Reference } from '../addrs/reference.ts';
import type { Module } from '../config/model.ts';
import type { Program } from '../evaluate/program.ts';
import { referencesInExpression } from '../lang/references.ts';
import { pathOfTraversal } from './ignore-changes.ts';
import type { OutputChange, PlannedChange } from './model.ts';

/** An attribute of a resource that something planned depends on. */
export interface RelevantAttribute {
  readonly resource: string;
  readonly attribute: Path;
}

/**
 * The attributes of resources that contributed to the changes of a plan, directly or through
 * values: drift of anything else is not worth showing.
 */
export function relevantAttributes(
  program: Program,
  changes: readonly PlannedChange[],
  outputs: readonly OutputChange[],
): readonly RelevantAttribute[] {
  const finder = new Finder(program);
  const seen = new Set<string>();
  for (const change of changes) {
    if (change.action === 'no-op') continue;
    const { config, resource: abs } = change.addr;
    const { module, resource } = abs;
    if (seen.has(config.text)) continue;
    seen.add(config.text);
    const owner = program.configuration.modules.get(module.path.text);
    if (owner !== undefined) finder.fromResource(owner, resource.text);
  }
  for (const change of outputs) {
    const output = program.configuration.root.outputs.get(change.name);
    if (change.action === 'no-op' || output === undefined) continue;
    finder.fromReferences(program.configuration.root, referencesInExpression(output.expression).references);
  }
  return finder.found();
}

class Finder {
  readonly #program: Program;
  readonly #found = new Map<string, RelevantAttribute>();
  readonly #visited = new Set<string>();

  constructor(program: Program) {
    this.#program = program;
  }

  found(): readonly RelevantAttribute[] {
    return [...this.#found].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, attribute]) => attribute);
  }

  fromResource(module: Module, text: string): void {
    const resource = module.resources.get(text);
    if (resource === undefined) return;
    const { provider, addr } = resource;
    const schema = this.#program.schemas.resource(provider, addr.mode, addr.type);
    const references: Reference[] = [];
    for (const expression of [resource.count, resource.forEach, ...resource.replaceTriggeredBy]) {
      if (expression !== undefined) references.push(...referencesInExpression(expression).references);
    }
    for (const traversal of schema === undefined ? [] : variablesInBody(resource.body, decodeSpec(schema.block))) {
      const { reference } = parseReference(traversal);
      if (reference !== undefined) references.push(reference);
    }
    this.fromReferences(module, references);
  }

  fromReferences(module: Module, references: readonly Reference[]): void {
    const pending = references.map((reference) => ({ module, reference }));
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      for (const further of this.#follow(next.module, next.reference)) pending.push(further);
    }
  }

  #follow(
    module: Module,
    reference: Reference,
  ): readonly { readonly module: Module; readonly reference: Reference }[] {
    const { subject } = reference;
    const within = module.path.isRoot ? '' : `${module.path.text}.`;
    const inModule = (at: Module | undefined, expression: Parameters<typeof referencesInExpression>[0] | undefined) =>
      at === undefined || expression === undefined
        ? []
        : referencesInExpression(expression).references.map((one) => ({ module: at, reference: one }));
    switch (subject.kind) {
      case 'resource': {
        const steps = reference.traversal.steps.slice(reference.consumed);
        const attribute = pathOfTraversal({ steps, range: reference.range });
        const resource = `${within}${subject.resource.text}`;
        this.#found.set(`${resource} ${pathKey(attribute)}`, { resource, attribute });
        return [];
      }
      case 'local': {
        if (!this.#visit(`${within}local.${subject.name}`)) return [];
        return inModule(module, module.locals.get(subject.name)?.expression);
      }
      case 'variable': {
        if (!this.#visit(`${within}var.${subject.name}`)) return [];
        const argument = module.call?.body.justAttributes().attributes.get(subject.name);
        return inModule(module.parent, argument?.expression);
      }
      case 'moduleCall': {
        const child = module.children.get(subject.name);
        const names = subject.output === undefined ? [...(child?.outputs.keys() ?? [])] : [subject.output];
        return names.flatMap((name) => {
          if (!this.#visit(`${within}module.${subject.name}.${name}`)) return [];
          return inModule(child, child?.outputs.get(name)?.expression);
        });
      }
      default:
        return [];
    }
  }

  #visit(key: string): boolean {
    if (this.#visited.has(key)) return false;
    this.#visited.add(key);
    return true;
  }
}
