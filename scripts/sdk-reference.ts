/**
 * Writes docs/provider-sdk-reference.md from the exported declarations of `@terrane/provider/sdk` and their doc comments.
 * `npm run docs:sdk`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.ts';
import { referencePage, type ReferenceSection } from './sdk-reference/page.ts';

const folder = join(root, 'packages/provider/src');
const page = join(root, 'docs/provider-sdk-reference.md');

/** The sections of the page, with the modules whose exports they contain. */
const SECTIONS: readonly ReferenceSection[] = [
  {
    title: 'Providers and their parts',
    modules: [
      'sdk/define-provider.ts',
      'sdk/provider-definition.ts',
      'sdk/with-client.ts',
      'sdk/resource.ts',
      'sdk/data-source.ts',
      'sdk/ephemeral-resource.ts',
      'sdk/action.ts',
      'sdk/function.ts',
      'sdk/list-resource.ts',
      'sdk/state-store.ts',
      'sdk/state-upgraders.ts',
      'sdk/contract-resource.ts',
      'sdk/handler-types.ts',
    ],
  },
  {
    title: 'Types and attributes',
    modules: ['sdk/attributes.ts', 'sdk/nested.ts', 'sdk/timeouts.ts', 'sdk/schema-types.ts'],
  },
  {
    title: 'Validators',
    modules: ['sdk/attribute-validators.ts', 'sdk/object-validators.ts', 'sdk/rules.ts'],
  },
  {
    title: 'Plan modifiers and comparisons',
    modules: ['sdk/plan-modifiers.ts', 'sdk/definition.ts', 'sdk/semantics.ts'],
  },
  {
    title: 'Values and results',
    modules: ['sdk/unknown.ts', 'sdk/outcomes.ts', 'sdk/views.ts', 'sdk/json-value.ts'],
  },
  {
    title: 'Errors, warnings and logs',
    modules: ['sdk/provider-error.ts', 'sdk/diagnostics.ts', 'sdk/log.ts', 'contract.ts'],
  },
  {
    title: 'Eventually consistent systems',
    modules: [
      'consistency/remote-object.ts',
      'consistency/not-found-retry.ts',
      'consistency/wait-for-state.ts',
      'consistency/retry.ts',
      'consistency/backoff.ts',
      'consistency/deadline.ts',
      'consistency/durations.ts',
      'consistency/errors.ts',
      'consistency/operation-error.ts',
    ],
  },
];

/** Returns the text of the page for the current sources. */
export function currentReference(): string {
  const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
  return referencePage('sdk/index.ts', SECTIONS, read);
}

if (import.meta.main) writeFileSync(page, currentReference());
