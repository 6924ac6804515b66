import { localExec } from './local-exec.ts';
import type { Provisioner } from './provisioner.ts';

/** All provisioners, by type. Those for remote machines are loaded on first use. */
export const PROVISIONERS: ReadonlyMap<string, Provisioner> = new Map<string, Provisioner>([
  ['local-exec', localExec],
  [
    'remote-exec',
    async (host, request) => {
      const { remoteExec } = await import('./remote-exec.ts');
      return await remoteExec(host, request);
    },
  ],
  [
    'file',
    async (host, request) => {
      const { file } = await import('./file.ts');
      return await file(host, request);
    },
  ],
]);

/** Runs the provisioner of a type. An unknown type is an error. */
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
