import { cleanPath, moduleSourceText } from '@terrane/addresses';
import type { Module, ModuleCall } from '@terrane/engine';
import { quoteText } from '@terrane/cty';
import { type Diagnostic, errorDiagnostic } from '@terrane/hcl';

/** Represents the directory of the package, whose location is unknown. */
const PACKAGE = '*/';

/**
 * Returns the error for a local path that escapes from the package of its module; called only if the path cannot be
 * read. Undefined if it does not escape, or without a package, as below the root module.
 */
export function escapeFromPackage(call: ModuleCall, parent: Module): Diagnostic | undefined {
  const steps: { readonly path: string; readonly source: string }[] = [
    { path: parent.path.child(call.name).text, source: textOf(call) },
  ];
  let definer = parent;
  for (;;) {
    const { call: above, parent: next } = definer;
    if (above === undefined || next === undefined) return undefined;
    if (above.source?.kind !== 'local') break;
    steps.unshift({ path: definer.path.text, source: textOf(above) });
    definer = next;
  }
  const source = definer.call?.source;
  if (source === undefined || source.kind === 'local') return undefined;
  const address =
    source.kind === 'remote' ? source.package : moduleSourceText({ ...source, subdirectory: '' });
  let at = cleanPath(`${PACKAGE}${source.subdirectory}`);
  for (const step of steps) {
    at = cleanPath(`${at}/${step.source}`);
    if (at.startsWith(PACKAGE)) continue;
    const hint = address.startsWith('/')
      ? '\n\nTerraform treats absolute filesystem paths as external modules which establish a new module package. To treat this directory as part of the same package as its caller, use a local path starting with either "./" or "../".'
      : '';
    return errorDiagnostic(
      'Local module path escapes module package',
      `The given source directory for ${step.path} would be outside of its containing package ${quoteText(address)}. Local source addresses starting with "../" must stay within the same package that the calling module belongs to.${hint}`,
    );
  }
  return undefined;
}

function textOf({ source, sourceText }: ModuleCall): string {
  return source === undefined ? sourceText : moduleSourceText(source);
}
