import type { ProviderSource } from '@terrane/addresses';
import { quoteText } from '@terrane/cty';
import { TERRAFORM_VERSION } from '@terrane/engine';
import { type Diagnostic, errorDiagnostic, warningDiagnostic } from '@terrane/hcl';
import { programCommand, userErrorText } from '@terrane/host';
import { comparePrecedence, parseVersion } from '../versions/version.ts';
import { platformText } from './platform.ts';
import { SourceError } from './source-error.ts';

const QUERY = 'Failed to query available provider packages';
const HOST = 'Invalid provider registry host';
const INCOMPATIBLE = 'Incompatible provider version';

/** Formats the error of a version query. */
export function queryProblem(
  provider: ProviderSource,
  error: unknown,
  /** another provider that may have been intended */
  alternative: string | undefined,
): Diagnostic {
  const name = provider.display;
  const could = `Could not retrieve the list of available versions for provider ${name}: ${userErrorText(error)}`;
  const problem = error instanceof SourceError ? error.problem : { kind: 'other' as const };
  switch (problem.kind) {
    case 'not-found': {
      const places = problem.places.map((place) => `  - ${place}`).join('\n');
      return errorDiagnostic(QUERY, `${could}\n\n${places}`);
    }
    case 'not-known': {
      const hint =
        alternative === undefined
          ? `All modules should specify their required_providers so that external consumers will get the correct providers when using a module. To see which modules are currently depending on ${name}, run the following command:\n    ${programCommand('providers')}`
          : `Did you intend to use ${alternative}? If so, you must specify that source address in each module which requires that provider. To see which modules are currently depending on ${name}, run the following command:\n    ${programCommand('providers')}`;
      return errorDiagnostic(QUERY, `${could}\n\n${hint}`);
    }
    case 'no-registry':
      return errorDiagnostic(
        HOST,
        hostProblem(provider, problem.hostname, problem.hasOtherVersion),
      );
    default:
      return errorDiagnostic(
        QUERY,
        `${could}\n\nTo see which modules are currently depending on ${name} and what versions are specified, run the following command:\n    ${programCommand('providers')}`,
      );
  }
}

function hostProblem(provider: ProviderSource, hostname: string, hasOtherVersion: boolean): string {
  if (hostname === 'github.com' && !hasOtherVersion) {
    return `The given source address ${quoteText(provider.text)} specifies a GitHub repository rather than a Terraform provider. Refer to the documentation of the provider to find the correct source address to use.`;
  }
  const host = `The host ${quoteText(hostname)} given in provider source address ${quoteText(provider.text)} does not offer a Terraform provider registry`;
  return hasOtherVersion
    ? `${host} that is compatible with this Terraform version, but it may be compatible with a different Terraform version.`
    : `${host}.`;
}

/** Returns the warnings of a registry for its users. */
export function registryWarnings(
  provider: ProviderSource,
  warnings: readonly string[],
): Diagnostic {
  return warningDiagnostic(
    'Additional provider information from registry',
    `The remote registry returned warnings for ${provider.text}:\n${warnings.map((each) => `- ${each}`).join('\n')}`,
  );
}

/** Formats the error of a package installation. */
export function fetchProblem(
  provider: ProviderSource,
  version: string,
  constraints: string,
  error: unknown,
): Diagnostic {
  const problem = error instanceof SourceError ? error.problem : { kind: 'other' as const };
  switch (problem.kind) {
    case 'protocol':
      return errorDiagnostic(
        INCOMPATIBLE,
        problem.suggestion === undefined
          ? `No compatible versions of provider ${provider.text} were found.`
          : protocolProblem(provider, version, problem.suggestion, constraints),
      );
    case 'platform': {
      const platform = platformText(problem.platform);
      return errorDiagnostic(
        INCOMPATIBLE,
        problem.mirror === undefined
          ? `Provider ${provider.text} v${problem.version} does not have a package available for your current platform, ${platform}.\n\nProvider releases are separate from Terraform CLI releases, so not all providers are available for all platforms. Other versions of this provider may have different platforms supported.`
          : `Your chosen provider mirror at ${problem.mirror} does not have a ${provider.text} v${problem.version} package available for your current platform, ${platform}.\n\nProvider releases are separate from Terraform CLI releases, so this provider might not support your current platform. Alternatively, the mirror itself might have only a subset of the plugin packages available in the origin registry, at ${provider.hostname}.`,
      );
    }
    default:
      return errorDiagnostic(
        'Failed to install provider',
        `Error while installing ${provider.display} v${version}: ${userErrorText(error)}`,
      );
  }
}

function protocolProblem(
  provider: ProviderSource,
  version: string,
  suggestion: string,
  constraints: string,
): string {
  const [ours, theirs] = [parseVersion(version), parseVersion(suggestion)];
  const tooNew = !('error' in ours) && !('error' in theirs) && comparePrecedence(ours, theirs) > 0;
  const first = `Provider ${quoteText(provider.display)} v${version} is not compatible with Terraform ${TERRAFORM_VERSION}.\n`;
  const checked = `\nTerraform checked all of the plugin versions matching the given constraint:\n\t${constraints}\n\nConsult the documentation for this provider for more information on compatibility between provider and Terraform versions.\n`;
  return tooNew
    ? `${first}You need to downgrade to v${suggestion} or earlier. Select it with the following constraint:\n\tversion = ${quoteText(suggestion)}\n${checked}Alternatively, upgrade to the latest version of Terraform for compatibility with newer provider releases.\n`
    : `${first}Provider version ${suggestion} is the latest compatible version. Select it with the following version constraint:\n\tversion = ${quoteText(suggestion)}\n${checked}`;
}

/** Formats the error of a shared cache package. */
export function cacheProblem(
  provider: ProviderSource,
  version: string,
  error: unknown,
): Diagnostic {
  return errorDiagnostic(
    'Failed to install provider from shared cache',
    `Error while importing ${provider.display} v${version} from the shared cache directory: ${userErrorText(error)}.`,
  );
}

/** Returns the error for an unusable provider of `terraform.io/builtin`. */
export function builtInProblem(provider: ProviderSource, reason: string): Diagnostic {
  return errorDiagnostic(
    'Invalid dependency on built-in provider',
    `Cannot use ${provider.display}: ${reason}.`,
  );
}

/** Returns the error for a package of the replacement registry that matches none of the recorded checksums. */
export function standInMismatch(provider: ProviderSource, standIn: string): string {
  return `\n\nThis package came from ${standIn}, the default registry for addresses without a host, and the checksums in the dependency lock file are probably those of ${provider.hostname}. Both registries can have packages of the same version that were built separately, as OpenTofu does for the providers of HashiCorp, and then their checksums differ. To go on with the packages that the lock file knows, set TERRANE_DEFAULT_REGISTRY=${provider.hostname} or write the source as ${quoteText(provider.text)}. To change over to ${standIn}, remove the block of this provider from .terraform.lock.hcl and run "${programCommand('init')}" again.`;
}
