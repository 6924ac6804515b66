import type { DescriptionKind } from '../schema/model.ts';
import type { ObjectValidator } from './object-validators.ts';
import type { Attributes, Blocks } from './schema-types.ts';
import type { MoveSource, StateUpgrader } from './state-upgraders.ts';

// Definitions with erased types. The compiler has checked the types of definitions; the runtime uses these types.

/** A handler with erased types. */
export type Handler = (context: object) => unknown;

/** Arguments and blocks with erased types, and their options. */
export interface ErasedObject {
  readonly version?: number;
  readonly description?: string;
  readonly descriptionKind?: DescriptionKind;
  readonly deprecationMessage?: string;
  readonly attributes?: Attributes;
  readonly blocks?: Blocks;
  readonly validators?: readonly ObjectValidator<string>[];
  readonly validate?: Handler;
}

/** The identity of objects of a type. */
export interface ErasedIdentity {
  readonly version?: number;
  readonly attributes: Attributes;
  readonly of: (state: unknown, around: { readonly client: unknown }) => unknown;
  readonly planned?: (plan: unknown, around: { readonly client: unknown }) => unknown;
  readonly upgraders?: Readonly<Record<number, StateUpgrader<unknown>>>;
}

/** The list operation of a type. */
export interface ErasedList extends ErasedObject {
  readonly list: (context: object) => AsyncIterable<unknown>;
}

/** A managed resource type. */
export interface ErasedResource extends ErasedObject {
  readonly olderTypeSystem?: boolean;
  readonly identity?: ErasedIdentity;
  readonly modifyPlan?: Handler;
  readonly planDelete?: Handler;
  readonly create: Handler;
  readonly read?: Handler;
  readonly update?: Handler;
  readonly delete?: Handler;
  readonly import?: Handler;
  readonly upgraders?: Readonly<Record<number, StateUpgrader<unknown>>>;
  readonly upgradeFlat?: (stored: Readonly<Record<string, string>>, context: object) => unknown;
  readonly moves?: readonly MoveSource<unknown>[];
  readonly list?: ErasedList;
}

/** A data source. */
export interface ErasedDataSource extends ErasedObject {
  readonly read: Handler;
}

/** An ephemeral resource. */
export interface ErasedEphemeral extends ErasedObject {
  readonly open: Handler;
  readonly renew?: Handler;
  readonly close?: Handler;
}

/** A state store. */
export interface ErasedStateStore extends ErasedObject {
  readonly configure: Handler;
  readonly read: Handler;
  readonly write: Handler;
  readonly list: Handler;
  readonly delete: Handler;
  readonly locks?: { readonly lock: Handler; readonly unlock: Handler };
}

/** An action. */
export interface ErasedAction extends ErasedObject {
  readonly plan?: Handler;
  readonly invoke: Handler;
}
