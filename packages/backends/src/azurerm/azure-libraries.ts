import { importOptional } from '@terrane/host';
import type * as blobLibrary from './libraries/azure-blob.ts';
import type * as identityLibrary from './libraries/azure-identity.ts';

const FEATURE = 'The backend "azurerm"';
const PACKAGES = [
  '@azure/storage-blob',
  '@azure/identity',
  '@azure/core-rest-pipeline',
  '@azure/core-http-compat',
  'node-forge',
];

/** Loads Microsoft's client of Blob Storage. */
export function loadBlobLibrary(): Promise<typeof blobLibrary> {
  return importOptional(FEATURE, PACKAGES, () => import('./libraries/azure-blob.ts'));
}

/** Loads Microsoft's client of its identity platform, with a reader of PKCS#12. */
export function loadIdentityLibrary(): Promise<typeof identityLibrary> {
  return importOptional(FEATURE, PACKAGES, () => import('./libraries/azure-identity.ts'));
}
