import { errorDiagnostic } from '@terrane/hcl';
import { programCommand } from '@terrane/host';
import type { CommandContext } from '../../command.ts';
import { View } from '../../views/view.ts';

/** Reports that the command `push` is no longer supported. */
export function printNoPush(context: CommandContext): number {
  new View(context).diagnostics([
    errorDiagnostic(
      `Command "${programCommand('push')}" is no longer supported`,
      'This command was used to push configuration to Terraform Enterprise legacy (v1), which has now reached end-of-life. To push configuration to Terraform Enterprise v2, use its REST API. Contact Terraform Enterprise support for more information.',
    ),
  ]);
  return 1;
}
