import { errorDiagnostic } from '@terrane/hcl';
import { programCommand } from '@terrane/host';
import type { CommandContext } from '../../command.ts';
import { View } from '../../views/view.ts';

/** Rejects the command `rpcapi`. Returns the exit code. */
export function refuseRpcApi(context: CommandContext): number {
  return reject(
    context,
    'rpcapi',
    `This command serves an internal interface of Terraform to HCP Terraform, with no promise of compatibility, and Terrane does not implement it. Programs that run Terraform use the other commands with the option -json; run "${programCommand('-help')}" for a list.`,
  );
}

/** Rejects the command `stacks`. Returns the exit code. */
export function refuseStacks(context: CommandContext): number {
  return reject(
    context,
    'stacks',
    `Stacks are deployed by HCP Terraform alone, with a separate program that Terraform downloads from there, and Terrane does not support them. To deploy a Stack, use Terraform. To deploy its components with Terrane, call the modules that they name from a configuration for each deployment, and run "${programCommand('apply')}".`,
  );
}

function reject(context: CommandContext, command: string, detail: string): number {
  new View(context).diagnostics([
    errorDiagnostic(`Command "${programCommand(command)}" is not supported`, detail),
  ]);
  return 1;
}
