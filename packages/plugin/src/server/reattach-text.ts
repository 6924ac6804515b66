import type { Environment } from '@terrane/host';
import type { ProtocolVersion } from '../wire/definitions.ts';
import type { Listening } from './plugin-server.ts';

/** Formats the instructions for making Terraform use a provider that waits for it. */
export function reattachText(
  address: string,
  version: ProtocolVersion,
  { network, address: place }: Listening,
  environment: Pick<Environment, 'pid' | 'platform'>,
): string {
  const reattach = JSON.stringify({
    [address]: {
      Protocol: 'grpc',
      ProtocolVersion: version,
      Pid: environment.pid,
      Test: true,
      Addr: { Network: network, String: place },
    },
  });
  const how =
    environment.platform === 'win32'
      ? `\tCommand Prompt:\tset "TF_REATTACH_PROVIDERS=${reattach}"\n\tPowerShell:\t$env:TF_REATTACH_PROVIDERS='${reattach.replaceAll("'", "''")}'\n`
      : `\tTF_REATTACH_PROVIDERS='${reattach.replaceAll("'", `'"'"'`)}'\n`;
  return `Provider started. To attach Terraform CLI, set the TF_REATTACH_PROVIDERS environment variable with the following:\n\n${how}\n`;
}
