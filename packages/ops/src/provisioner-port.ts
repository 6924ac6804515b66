import type { ProvisionerPort } from '@terrane/engine';
import type { Host } from '@terrane/host';

/** The provisioners that come with Terrane; their code is loaded when one is first run. */
export function provisionerPort(host: Host): ProvisionerPort {
  return {
    provision: async (request) => {
      const { provision } = await import('@terrane/provisioners');
      return await provision(host, request);
    },
  };
}
