export { provision, PROVISIONERS, type ProvisionRequest } from './provision.ts';
