export { provision, PROVISIONERS } from './provision.ts';
export type { Provisioner, ProvisionRequest } from './provisioner.ts';
