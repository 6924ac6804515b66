import type { Command } from '../../command.ts';

/** `terrane rpcapi`, which Terrane does not implement. */
export const rpcapi: Command = {
  name: 'rpcapi',
  summary: 'The RPC interface that HCP Terraform uses; not supported',
  help: `
Usage: terrane [global options] rpcapi

  Not supported. In Terraform this command serves an internal RPC interface
  to HCP Terraform.
`,
  async run(_args, context) {
    const { refuseRpcApi } = await import('./run.ts');
    return refuseRpcApi(context);
  },
};

/** `terrane stacks`, which Terrane does not implement. */
export const stacks: Command = {
  name: 'stacks',
  summary: 'Manage Stacks of HCP Terraform; not supported',
  help: `
Usage: terrane [global options] stacks

  Not supported. In Terraform this command runs a separate program that manages
  Stacks, which only HCP Terraform deploys.
`,
  async run(_args, context) {
    const { refuseStacks } = await import('./run.ts');
    return refuseStacks(context);
  },
};
