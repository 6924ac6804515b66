import { localExec } from './local-exec.ts';
import type { Provisioner } from './provisioner.ts';

/** Every provisioner that there is, by type. */
export const PROVISIONERS: ReadonlyMap<string, Provisioner> = new Map([['local-exec', localExec]]);

/** Does the work of the provisioner of a type. A type that there is not is an error. */
export const provision: Provisioner = async (host, request) => {
  const provisioner = PROVISIONERS.get(request.type);
  if (provisioner !== undefined) return await provisioner(host, request);
  return [
    {
      severity: 'error',
      summary: 'Provisioner not available',
      detail: `This version of Terrane has no "${request.type}" provisioner.`,
    },
  ];
};
