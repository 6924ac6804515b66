import { moduleSourceText } from '@terrane/addresses';
import type { ModuleCall } from '@terrane/engine';
import { type Diagnostic, errorDiagnostic } from '@terrane/hcl';
import { redactedAddress } from './fetch/redact.ts';
import type { ModuleRecord } from './module-manifest.ts';

/** The result of installing a module. */
export interface InstalledModule {
  /** the new record of the manifest, also if the package is already present */
  readonly record?: ModuleRecord;
  readonly diagnostics: readonly Diagnostic[];
}

/** The part of a module call that determines its installation. */
export type InstalledCall = Pick<
  ModuleCall,
  'name' | 'source' | 'sourceText' | 'version' | 'range'
>;

/** Returns the place of a module call for messages. */
export function placeOf({ range }: InstalledCall): string {
  return `${range.filename}:${range.from.line}`;
}

/** The message for an installed directory that does not exist. */
export function unreadable(directory: string): string {
  return `The directory ${directory} could not be read. This is a bug in Terraform and should be reported.`;
}

/** The result for a download that was interrupted. */
export function interruptedModule(call: InstalledCall, address?: string): InstalledModule {
  const source = call.source === undefined ? call.sourceText : moduleSourceText(call.source);
  return failedModule(
    'Module download was interrupted',
    `Interrupt signal received when downloading module ${address ?? redactedAddress(source)}.`,
  );
}

/** The result for a module that cannot be installed, with the diagnostics before. */
export function failedModule(
  summary: string,
  detail: string,
  call?: InstalledCall,
  before: readonly Diagnostic[] = [],
): InstalledModule {
  return { diagnostics: [...before, errorDiagnostic(summary, detail, call?.range)] };
}
