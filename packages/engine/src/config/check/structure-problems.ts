import { compareText, quoteText } from '@terrane/cty';
import { type Diagnostic, errorDiagnostic } from '@terrane/hcl';
import type { Configuration } from '../model.ts';
import { missingActions } from './check-actions.ts';
import { moduleArgumentProblems } from './module-arguments.ts';
import { missingProviderConfigurations } from './provider-configurations.ts';
import { PROVISIONER_SCHEMAS } from './provisioner-schemas.ts';

/**
 * Returns the errors that prevent an evaluation order: references to missing objects. After errors about one kind of
 * object, the next kind is not checked.
 */
export function structureProblems(configuration: Configuration): readonly Diagnostic[] {
  for (const find of [
    missingProvisioners,
    moduleArgumentProblems,
    missingActions,
    missingProviderConfigurations,
  ]) {
    const problems = find(configuration);
    if (problems.length > 0) return problems;
  }
  return [];
}

function missingProvisioners(configuration: Configuration): Diagnostic[] {
  const types: string[] = [];
  for (const { resources } of configuration.modules.values()) {
    for (const { hasMetaArguments, provisioners } of resources.values()) {
      if (!hasMetaArguments) continue;
      for (const { type } of provisioners) if (!PROVISIONER_SCHEMAS.has(type)) types.push(type);
    }
  }
  return types
    .sort(compareText)
    .map((type) =>
      errorDiagnostic(
        'Missing required provisioner plugin',
        `This configuration requires provisioner plugin ${quoteText(type)}, which isn't available. If you're intending to use an external provisioner plugin, you must install it manually into one of the plugin search directories before running Terraform.`,
      ),
    );
}
