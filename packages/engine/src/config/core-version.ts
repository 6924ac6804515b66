import { errorDiagnostic, type Diagnostic } from '@terrane/hcl';
import { OPENTOFU_VERSION, TERRAFORM_VERSION } from '../lang/version.ts';
import type { Configuration, Module } from './model.ts';
import { moduleSourceText } from './module-source.ts';
import { parseVersionConstraint } from './version-constraint.ts';

/** Holds every module's `required_version` against the version whose behaviour is met. */
export function checkCoreVersions(configuration: Configuration): Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  for (const module of configuration.modules.values()) checkModule(module, diagnostics);
  return diagnostics;
}

function checkModule(module: Module, diagnostics: Diagnostic[]): void {
  const version = module.dialect === 'opentofu' ? OPENTOFU_VERSION : TERRAFORM_VERSION;
  for (const { text, range } of module.requiredVersions) {
    const constraint = parseVersionConstraint(text);
    const prereleases = (constraint.terms ?? []).filter((term) => term.prerelease);
    for (const term of prereleases) {
      diagnostics.push(
        errorDiagnostic(
          'Invalid required_version constraint',
          `Prerelease version constraints are not supported: ${term.text}. Remove the prerelease information from the constraint. Prerelease versions of terraform will match constraints using their version core only.`,
          range,
        ),
      );
    }
    if (prereleases.length > 0 || constraint.allows?.(version) === true) continue;
    const source = module.call?.source;
    const from = source === undefined ? '' : moduleSourceText(source);
    const who = module.path.isRoot ? 'This configuration' : `Module ${module.path} (from ${from})`;
    diagnostics.push(
      errorDiagnostic(
        'Unsupported Terraform Core version',
        `${who} does not support Terraform version ${version}. To proceed, either choose another supported Terraform version or update this version constraint. Version constraints are normally set for good reason, so updating the constraint may lead to other errors or unexpected behavior.`,
        range,
      ),
    );
  }
}
