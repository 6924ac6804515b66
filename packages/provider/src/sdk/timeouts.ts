import { parseDuration } from '@terrane/host';
import { string } from './attributes.ts';
import { block, singleNested } from './nested.ts';
import type { Attribute, Block, Views } from './schema-types.ts';

/** An operation with a time-out. */
export type TimedOperation = 'create' | 'read' | 'update' | 'delete' | 'open' | 'renew' | 'close';

/** Default time-outs by operation: `{ create: '20m' }`. */
export type UsualTimeouts = { readonly [Operation in TimedOperation]?: string };

type Written<T> = { readonly [O in keyof T]: string | null };

interface TimeoutViews<T> extends Views {
  readonly config: Written<T>;
  readonly written: Written<T>;
  readonly proposed: Written<T>;
  readonly planned: Written<T>;
  readonly state: Written<T>;
  readonly result: Written<T>;
  readonly imported: Written<T>;
}

/**
 * Defines the argument `timeouts`, with which users limit the duration of operations: `timeouts = { create = "60m" }`.
 * Handlers read the limit from `timeout`, in milliseconds.
 */
export function timeouts<const T extends UsualTimeouts>(
  defaults: T,
): Attribute<TimeoutViews<T>, 'timeouts', never> {
  const operations = operationsOf(defaults);
  const { definition, codec } = singleNested(operations, { optional: true });
  return { kind: 'attribute', definition, codec, timeouts: definedOf(defaults) };
}

interface TimeoutBlockViews<T> extends Views {
  readonly config: Written<T> | null;
  readonly written: Written<T> | null;
  readonly proposed: Written<T> | null;
  readonly planned: Written<T> | null;
  readonly state: Written<T> | null;
  readonly result: Written<T> | null;
  readonly imported: Written<T> | null;
}

/** Variant of `timeouts` as a block: `timeouts { create = "60m" }`. */
export function timeoutsBlock<const T extends UsualTimeouts>(
  defaults: T,
): Block<TimeoutBlockViews<T>, never> {
  const { definition, codec } = block('single', operationsOf(defaults));
  return { kind: 'block', definition, codec, timeouts: definedOf(defaults) };
}

function definedOf(defaults: UsualTimeouts): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(defaults));
}

function operationsOf(defaults: UsualTimeouts) {
  const entries = Object.keys(defaults).map(
    (operation) => [operation, timeoutOf(operation)] as const,
  );
  return Object.fromEntries(entries);
}

// The texts are those of hashicorp/terraform-plugin-framework-timeouts.
function timeoutOf(operation: string): Attribute<Views, 'optional', never> {
  const during = operation === 'delete' ? DELETE_NOTE : operation === 'read' ? READ_NOTE : '';
  return string({
    optional: true,
    description: `A string that can be [parsed as a duration](https://pkg.go.dev/time#ParseDuration) consisting of numbers and unit suffixes, such as "30s" or "2h45m". Valid time units are "s" (seconds), "m" (minutes), "h" (hours).${during}`,
    validators: [
      (text) =>
        parseDuration(text) === undefined
          ? 'must be a string containing a sequence of decimal numbers, each with optional fraction and a unit suffix, such as "300ms", "-1.5h" or "2h45m"'
          : undefined,
    ],
  });
}

const DELETE_NOTE =
  ' Setting a timeout for a Delete operation is only applicable if changes are saved into state before the destroy operation occurs.';
const READ_NOTE =
  ' Read operations occur during any refresh or planning operation when refresh is enabled.';
