import type { JsonNode } from '@terrane/cty';

/** The action on a part of a value. */
export type PartAction = 'no-op' | 'create' | 'update' | 'delete';

/** The computed difference of one block, attribute or element, ready to be drawn. */
export interface Diff {
  readonly action: PartAction;
  /** true if this part forces the replacement of the object */
  readonly replace: boolean;
  readonly view: View;
}

/** The content to draw. */
export type View =
  | PrimitiveView
  | SequenceView
  | SetView
  | MapView
  | ObjectView
  | BlockView
  | SensitiveView
  | UnknownView
  | TypeChangeView
  | WriteOnlyView;

/** A string, a number or a bool. */
export interface PrimitiveView {
  readonly kind: 'primitive';
  readonly before: JsonNode;
  readonly after: JsonNode;
  readonly text: boolean;
}

/** A list or a tuple. */
export interface SequenceView {
  readonly kind: 'list';
  readonly elements: readonly Diff[];
  /** show the unchanged neighbours of changed elements */
  readonly context: boolean;
}

/** A set. */
export interface SetView {
  readonly kind: 'set';
  readonly elements: readonly Diff[];
  /** for a nested attribute: its elements have the suffix "forces replacement" */
  readonly nested: boolean;
}

/** A map. */
export interface MapView {
  readonly kind: 'map';
  readonly elements: ReadonlyMap<string, Diff>;
  /** for a nested attribute: no alignment, its elements have the suffix "forces replacement" */
  readonly nested: boolean;
}

/** An object, or nested attributes. */
export interface ObjectView {
  readonly kind: 'object';
  readonly attributes: ReadonlyMap<string, Diff>;
  /** for a nested attribute: removed children have the suffix "-> null" */
  readonly nested: boolean;
}

/** A block with its attributes and blocks. */
export interface BlockView {
  readonly kind: 'block';
  readonly attributes: ReadonlyMap<string, Diff>;
  readonly groups: ReadonlyMap<string, BlockGroup>;
}

/** The nested blocks of one type inside a block. */
export interface BlockGroup {
  readonly blocks: readonly { readonly label: string | undefined; readonly diff: Diff }[];
  /** single and group nesting have no separate "known after apply" block */
  readonly single: boolean;
  readonly action: PartAction;
  readonly replace: boolean;
  readonly beforeSensitive: boolean;
  readonly afterSensitive: boolean;
  readonly unknown: boolean;
}

/** A sensitive value. */
export interface SensitiveView {
  readonly kind: 'sensitive' | 'sensitive-block';
  readonly inner: Diff;
  readonly beforeSensitive: boolean;
  readonly afterSensitive: boolean;
}

/** A value known only after apply. */
export interface UnknownView {
  readonly kind: 'unknown';
  /** the value before, as a deletion */
  readonly before: Diff | undefined;
}

/** A change of type, which shows both values in full. */
export interface TypeChangeView {
  readonly kind: 'type-change';
  readonly before: Diff;
  readonly after: Diff;
}

/** A write-only value. */
export interface WriteOnlyView {
  readonly kind: 'write-only';
  readonly sensitive: boolean;
}

/** Combines the action of a value with the action `next` of one of its parts. */
export function joinActions(current: PartAction, next: PartAction): PartAction {
  return next === 'no-op' || current === next ? current : 'update';
}
