import type { ProvisionerPort } from '@terrane/engine';
import type { Host } from '@terrane/host';

/** Returns the bundled provisioners; their code is loaded on first use. */
export function provisionerPort(host: Host): ProvisionerPort {
  return {
    provision: async (request) => {
      const { provision } = await import('@terrane/provisioners');
      return await provision(host, request);
    },
  };
}
