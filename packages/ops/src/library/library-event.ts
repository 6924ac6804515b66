import {
  type PlainChange,
  plainChange,
  plainChanges,
  type PlainDiagnostic,
  plainDiagnostic,
} from '../plain-results.ts';
import type { ApplyEvent } from '../run-streams.ts';

/** An event of a plan, an apply or a refresh, as JavaScript data. */
export type LibraryEvent =
  | {
      /** an apply has made its plan, or loaded a saved one */
      readonly kind: 'plan';
      readonly changes: readonly PlainChange[];
    }
  | { readonly kind: 'planned-change' | 'resource-drift'; readonly change: PlainChange }
  | { readonly kind: 'diagnostic'; readonly diagnostic: PlainDiagnostic }
  | {
      readonly kind:
        | 'refresh-start'
        | 'refresh-complete'
        | 'read-start'
        | 'read-complete'
        | 'import-prepare'
        | 'import-complete'
        | 'ephemeral-start'
        | 'ephemeral-progress'
        | 'ephemeral-complete'
        | 'ephemeral-errored'
        | 'ephemeral-deferred';
      readonly address: string;
      readonly elapsedMs?: number;
    }
  | {
      readonly kind: 'apply-start' | 'apply-progress' | 'apply-complete' | 'apply-errored';
      readonly address: string;
      /** key of the deposed object that the event is about */
      readonly deposed?: string;
      readonly action: 'create' | 'update' | 'delete' | 'read' | 'forget';
      readonly elapsedMs?: number;
      /** the reason for a delay */
      readonly note?: string;
    }
  | {
      readonly kind:
        | 'provision-start'
        | 'provision-progress'
        | 'provision-complete'
        | 'provision-errored';
      readonly address: string;
      readonly provisioner: string;
      readonly output?: string;
    }
  | {
      readonly kind: 'action-start' | 'action-progress' | 'action-complete' | 'action-errored';
      readonly address: string;
      /** the provider's progress message, or an error */
      readonly message?: string;
    }
  | { readonly kind: 'message'; readonly text: string };

/** Converts an event to JavaScript data; none for events that plans and applies do not have, or that repeat others. */
export function libraryEvents(event: ApplyEvent): readonly LibraryEvent[] {
  switch (event.kind) {
    case 'plan':
      return [{ kind: 'plan', changes: plainChanges(event.plan) }];
    case 'planned-change':
    case 'resource-drift':
      return [{ kind: event.kind, change: plainChange(event.change) }];
    case 'diagnostic':
      return [{ kind: 'diagnostic', diagnostic: plainDiagnostic(event.diagnostic) }];
    case 'diagnostics':
      return event.diagnostics.map((each) => ({
        kind: 'diagnostic',
        diagnostic: plainDiagnostic(each),
      }));
    case 'apply-start':
    case 'apply-progress':
    case 'apply-complete':
    case 'apply-errored': {
      const { kind, addr, deposed, action, elapsedMs, note } = event;
      return [withoutUndefined({ kind, address: addr.text, deposed, action, elapsedMs, note })];
    }
    case 'provision-start':
    case 'provision-progress':
    case 'provision-complete':
    case 'provision-errored': {
      const { kind, addr, provisioner, output } = event;
      return [withoutUndefined({ kind, address: addr.text, provisioner, output })];
    }
    case 'action-start':
    case 'action-progress':
    case 'action-complete':
    case 'action-errored': {
      const { kind, invocation, message } = event;
      return [withoutUndefined({ kind, address: invocation.addr.text, message })];
    }
    case 'message':
      return [{ kind: 'message', text: event.text }];
    case 'apply-note': // becomes the note of `apply-progress`
    case 'import-start':
    case 'import-found':
    case 'list-start':
    case 'list-complete':
      return [];
    default: {
      const { kind, addr } = event;
      const elapsedMs = 'elapsedMs' in event ? event.elapsedMs : undefined;
      return [withoutUndefined({ kind, address: addr.text, elapsedMs })];
    }
  }
}

type Present<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Returns an object without the properties that are undefined. */
function withoutUndefined<const T extends object>(object: T): Present<T> {
  const entries = Object.entries(object).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Present<T>;
}
