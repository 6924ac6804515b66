import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Workplace } from '../backends/programs.ts';
import { RESOURCES } from './cases.ts';
import { VaultServer } from './vault-server.ts';

const CONFIGURATION = `terraform {
  encryption {
    key_provider "azure_vault" "k" {
      vault_uri      = "https://my-vault.vault.azure.net/"
      vault_key_name = "key"
      key_length     = 32
    }
    method "aes_gcm" "m" {
      keys = key_provider.azure_vault.k
    }
    state {
      method = method.aes_gcm.m
    }
  }
}
`;
const ENVIRONMENT = {
  ARM_TENANT_ID: '11111111-1111-1111-1111-111111111111',
  ARM_CLIENT_ID: 'client',
  ARM_CLIENT_SECRET: 'not-a-secret',
};

/** A directory whose state is encrypted with a key of an Azure vault, and the server of the vault. */
export interface VaultPlace extends AsyncDisposable {
  readonly work: Workplace;
  /** Returns the text of the state file. */
  state(): Promise<string>;
  /** Returns the metadata of the key provider in the state. */
  metadata(): Promise<unknown>;
}

/** Starts the server and writes the configuration. */
export async function vaultPlace(): Promise<VaultPlace> {
  const server = await VaultServer.start();
  const authority = 'authority.pem';
  const work = await Workplace.make({
    ...ENVIRONMENT,
    HTTPS_PROXY: server.loopback.origin,
    SSL_CERT_FILE: authority,
  });
  await work.write(authority, server.authority);
  await work.write('main.tf', CONFIGURATION);
  await work.write('resources.tf', RESOURCES);
  const state = async (): Promise<string> =>
    await readFile(join(work.directory, 'terraform.tfstate'), 'utf8');
  return {
    work,
    state,
    async metadata(): Promise<unknown> {
      const { meta } = JSON.parse(await state()) as {
        readonly meta: Readonly<Record<string, string>>;
      };
      return JSON.parse(Buffer.from(meta['key_provider.azure_vault.k'] ?? '', 'base64').toString());
    },
    async [Symbol.asyncDispose](): Promise<void> {
      await work.remove();
      await server[Symbol.asyncDispose]();
    },
  };
}
