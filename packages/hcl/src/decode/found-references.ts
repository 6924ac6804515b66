import type { FunctionReference, Traversal } from '../model.ts';
import type { Spec } from './spec.ts';

/** The references in a body under a spec. */
export interface FoundReferences {
  readonly spec: Spec;
  readonly traversals: readonly Traversal[];
  readonly calls: readonly FunctionReference[];
  /** those under another spec, by which few bodies are decoded */
  readonly next: FoundReferences | undefined;
}
