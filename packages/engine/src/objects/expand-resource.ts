import { AbsResource, type InstanceAddr } from '@terrane/addresses';
import type { Value } from '@terrane/cty';
import type { Diagnostic } from '@terrane/hcl';
import { impliedType, type Schema } from '@terrane/provider';
import { configAddr } from '../evaluate/dependencies.ts';
import type { Evaluation } from '../evaluate/evaluation.ts';
import { evaluateExpansion, isRepeated } from '../evaluate/expansion.ts';
import { type ModuleCells, ResourceCell } from '../evaluate/module-cells.ts';
import type { ResourceNode } from '../evaluate/node.ts';
import { keysOf, SINGLE } from '../evaluate/repetition.ts';
import { setLeft } from '../evaluate/set-stored.ts';
import type { State } from '../state/model.ts';
import { isOpenModule } from './deferral.ts';
import { openExpansion } from './open-expansion.ts';

/** A resource in a module instance, with a cell that is not yet part of the evaluation. */
export interface ExpandedResource {
  readonly address: AbsResource;
  readonly cells: ModuleCells;
  readonly cell: ResourceCell;
  /** true if the cell represents instances that are unknown in this run */
  readonly isUnknown: boolean;
}

/** The treatment of a resource's instances in a run. */
export interface ExpansionOptions {
  /** accepts an unknown `count` or `for_each` */
  readonly deferring: boolean;
  /** Returns the planned value of the instances of a resource that the plan left unknown. */
  readonly deferredValue?: (address: AbsResource) => Value | undefined;
  /** true if no expression reads the values, so that the cells do not retain them */
  readonly discardsValues?: boolean;
  /** The stored instances that remain visible to references although the run does not include them. */
  readonly kept?: {
    readonly state: State;
    readonly isKept: (address: InstanceAddr) => boolean;
    /** shows only existing instances to references */
    readonly existingOnly: boolean;
  };
}

/**
 * Expands a resource in every instance of its module, without side effects: {@link commitExpansion} makes the result
 * part of the evaluation. Modules with an invalid expansion are omitted, with diagnostics.
 */
export function expandResource(
  evaluation: Evaluation,
  { resource, module }: ResourceNode,
  schema: Schema,
  options: ExpansionOptions,
  diagnostics: Diagnostic[],
): readonly ExpandedResource[] {
  const type = impliedType(schema.block);
  const expanded: ExpandedResource[] = [];
  for (const cells of evaluation.instancesOf(module)) {
    const address = AbsResource.of(cells.instance, resource.addr);
    const deferred = options.deferredValue?.(address);
    const isOpen = deferred !== undefined || isOpenModule(cells.instance);
    const expansion = isOpen
      ? openExpansion(resource)
      : isRepeated(resource)
        ? evaluateExpansion(
            resource,
            evaluation.scope(cells),
            false,
            diagnostics,
            options.deferring,
            () => address.text,
          )
        : SINGLE;
    if (expansion === undefined) continue;
    const cell = new ResourceCell(resource, type, expansion, options.discardsValues);
    const isUnknown = isOpen || expansion.kind === 'unknown';
    expanded.push({ address, cells, cell, isUnknown });
    if (deferred !== undefined) {
      cell.set(keysOf(expansion)[0], deferred);
    } else if (options.kept !== undefined) {
      const { state, isKept, existingOnly } = options.kept;
      setLeft(cell, state, address, isKept, diagnostics);
      if (existingOnly) cell.keepToExisting();
    }
  }
  return expanded;
}

/** Makes the cells of an expanded resource visible to references, and declares the checks of its instances. */
export function commitExpansion(
  { checks }: Evaluation,
  { module, resource }: ResourceNode,
  expanded: readonly ExpandedResource[],
): void {
  const hasConditions = resource.preconditions.length + resource.postconditions.length > 0;
  for (const { cells, cell } of expanded) cells.setResource(resource.addr.text, cell);
  if (!hasConditions) return;
  const { text } = configAddr({ module, resource });
  checks.declare('resource', text);
  checks.expect(text, []);
  for (const { address, cell, isUnknown } of expanded) {
    // Unknown instances have no check results.
    if (isUnknown) continue;
    checks.expect(
      text,
      keysOf(cell.expansion).map((key) => address.instance(key).text),
    );
  }
}
