import type { KeyProviderKind } from './key-provider.ts';
import { AWS_KMS } from './key-providers/aws-kms.ts';
import { AZURE_VAULT } from './key-providers/azure-vault.ts';
import { EXTERNAL_KEYS } from './key-providers/external.ts';
import { GCP_KMS } from './key-providers/gcp-kms.ts';
import { OPENBAO } from './key-providers/openbao.ts';
import { PBKDF2 } from './key-providers/pbkdf2.ts';
import { STATIC } from './key-providers/static.ts';
import type { MethodKind } from './method.ts';
import { AES_GCM } from './methods/aes-gcm.ts';
import { EXTERNAL_METHOD } from './methods/external.ts';

/** All key providers. */
export const KEY_PROVIDERS: ReadonlyMap<string, KeyProviderKind> = new Map([
  ['aws_kms', AWS_KMS],
  ['azure_vault', AZURE_VAULT],
  ['external', EXTERNAL_KEYS],
  ['gcp_kms', GCP_KMS],
  ['openbao', OPENBAO],
  ['pbkdf2', PBKDF2],
  ['static', STATIC],
]);

/** All methods, except the one without encryption. */
export const METHODS: ReadonlyMap<string, MethodKind> = new Map([
  ['aes_gcm', AES_GCM],
  ['external', EXTERNAL_METHOD],
]);

/** The method without encryption. */
export const UNENCRYPTED = 'unencrypted';
