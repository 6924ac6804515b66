import type { InstanceKey } from '@terrane/addresses';
import type { ImportTarget } from '../evaluate/imports.ts';
import type { ModuleCells, ResourceCell } from '../evaluate/module-cells.ts';
import type { ChangingInstance } from './plan-change.ts';
import type { LiveObject } from './stored.ts';

/** One instance of a managed resource that the configuration asks for. */
export interface WantedInstance extends ChangingInstance {
  readonly cells: ModuleCells;
  readonly cell: ResourceCell;
  readonly key: InstanceKey;
  readonly dependencies: readonly string[];
  readonly createBeforeDestroy: boolean;
  /** An object that exists and becomes this instance. */
  readonly importing?: ImportTarget;
  /** In a later run it may turn out to be an object that exists. */
  readonly mayBeImported?: true;
  /** the object that is imported, where its configuration was written from it */
  readonly generated?: { readonly object: LiveObject; readonly config: string };
}
