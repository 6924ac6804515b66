import type { InstanceKey } from '@terrane/addresses';
import type { ImportTarget } from '../evaluate/imports.ts';
import type { ModuleCells, ResourceCell } from '../evaluate/module-cells.ts';
import type { ChangingInstance } from './plan-change.ts';
import type { LiveObject } from './stored.ts';

/** An instance of a managed resource that the configuration declares. */
export interface WantedInstance extends ChangingInstance {
  readonly cells: ModuleCells;
  readonly cell: ResourceCell;
  readonly key: InstanceKey;
  /** Returns the sorted addresses of all dependencies, which are determined when they are first needed. */
  readonly dependencies: () => readonly string[];
  readonly createBeforeDestroy: boolean;
  /** An object that exists and becomes this instance. */
  readonly importing?: ImportTarget;
  /** a later run may import an existing object for it */
  readonly mayBeImported?: true;
  /** the object that is imported, where its configuration was written from it */
  readonly generated?: { readonly object: LiveObject; readonly config: string };
}
