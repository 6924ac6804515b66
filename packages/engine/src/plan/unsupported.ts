import { type Diagnostic, errorDiagnostic } from '@terrane/hcl';
import type { ProvisionerPort } from '../session/provisioner-port.ts';
import type { Configuration } from '../config/model.ts';

/** Errors for what a configuration asks for and this version cannot do yet: nothing is left out in silence. */
export function unsupportedFeatures(
  configuration: Configuration,
  provisioners: ProvisionerPort,
): readonly Diagnostic[] {
  const problems: Diagnostic[] = [];
  for (const module of configuration.modules.values()) {
    for (const resource of module.resources.values()) {
      for (const provisioner of resource.provisioners) {
        if (provisioners.types.has(provisioner.type)) continue;
        problems.push(
          errorDiagnostic(
            'Provisioner not supported yet',
            `This version of Terrane cannot run the "${provisioner.type}" provisioner of ${resource.addr.text}. Remove the block, or do its work by other means.`,
            provisioner.range,
          ),
        );
      }
    }
  }
  return problems;
}
