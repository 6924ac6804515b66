import {
  moduleSourceText,
  parseVersionConstraint,
  type VersionConstraint,
} from '@terrane/addresses';
import { errorDiagnostic, type Diagnostic } from '@terrane/hcl';
import { NEWEST_TERRAFORM_MINOR } from '../lang/version.ts';
import { dialectOf, DIALECT_RULES, type Dialect } from './dialect.ts';
import type { Configuration, Module, VersionRequirement } from './model.ts';

/** Validates every module's `required_version` against the supported versions: those of one dialect's files, or all. */
export function checkCoreVersions(configuration: Configuration, only?: Dialect): Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  for (const module of configuration.modules.values()) {
    for (const required of module.requiredVersions) {
      if (only !== undefined && (required.dialect ?? dialectOf(required.range)) !== only) continue;
      check(module, required, diagnostics);
    }
  }
  return diagnostics;
}

function check(module: Module, required: VersionRequirement, diagnostics: Diagnostic[]): void {
  const { text, range } = required;
  const constraint = parseVersionConstraint(text);
  const dialect = required.dialect ?? dialectOf(range);
  const program = dialect === 'opentofu' ? 'OpenTofu' : 'terraform';
  const prereleases = (constraint.terms ?? []).filter((term) => term.prerelease);
  for (const term of prereleases) {
    diagnostics.push(
      errorDiagnostic(
        'Invalid required_version constraint',
        `Prerelease version constraints are not supported: ${term.text}. Remove the prerelease information from the constraint. Prerelease versions of ${program} will match constraints using their version core only.`,
        range,
      ),
    );
  }
  if (prereleases.length > 0) return;
  const { version } = DIALECT_RULES[dialect];
  if (constraint.allows?.(version) === true) return;
  if (dialect === 'opentofu') {
    diagnostics.push(
      errorDiagnostic(
        'Incompatible module',
        `This module is not compatible with OpenTofu v${version}.\n\nTo proceed, either choose another supported OpenTofu version or update this version constraint. Version constraints are normally set for good reason, so updating the constraint may lead to other errors or unexpected behavior.`,
        range,
      ),
    );
    return;
  }
  if (allowsLaterTerraform(constraint)) return;
  const source = module.call?.source;
  const from = source === undefined ? '' : moduleSourceText(source);
  const subject = module.path.isRoot
    ? 'This configuration'
    : `Module ${module.path} (from ${from})`;
  diagnostics.push(
    errorDiagnostic(
      'Unsupported Terraform Core version',
      `${subject} does not support Terraform version ${version}. To proceed, either choose another supported Terraform version or update this version constraint. Version constraints are normally set for good reason, so updating the constraint may lead to other errors or unexpected behavior.`,
      range,
    ),
  );
}

const FIRST_LATER_MINOR = 12;
const PATCHES = 30;

/** Returns true if a constraint allows a later Terraform, whose additions to the language are also supported. */
function allowsLaterTerraform(constraint: VersionConstraint): boolean {
  for (let minor = FIRST_LATER_MINOR; minor <= NEWEST_TERRAFORM_MINOR; minor++) {
    for (let patch = 0; patch < PATCHES; patch++) {
      if (constraint.allows?.(`1.${minor}.${patch}`) === true) return true;
    }
  }
  return false;
}
