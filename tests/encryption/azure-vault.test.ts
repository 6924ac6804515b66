// Keys of a vault of Azure: on a server that does what Microsoft's documentation says, beside OpenTofu where it is here.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { worked, Workplace } from '../backends/programs.ts';
import { RESOURCES } from './cases.ts';
import { TOFU } from './run.ts';
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

it('provides keys, and recovers them, also in OpenTofu', async () => {
  await using server = await VaultServer.start();
  const proxy = server.loopback.origin;
  const authority = 'authority.pem';
  const work = await Workplace.make({
    ...ENVIRONMENT,
    HTTPS_PROXY: proxy,
    SSL_CERT_FILE: authority,
  });
  try {
    await work.write(authority, server.authority);
    await work.write('main.tf', CONFIGURATION);
    await work.write('resources.tf', RESOURCES);
    const state = async (): Promise<string> =>
      await readFile(join(work.directory, 'terraform.tfstate'), 'utf8');
    const kept = async (): Promise<unknown> => {
      const { meta } = JSON.parse(await state()) as {
        readonly meta: Readonly<Record<string, string>>;
      };
      return JSON.parse(Buffer.from(meta['key_provider.azure_vault.k'] ?? '', 'base64').toString());
    };
    await worked(work.terrane('init', '-input=false'));
    await worked(work.terrane('apply', '-auto-approve', '-input=false'));
    expect(await state()).not.toContain('marker');
    // The form in which OpenTofu 1.12.6 was seen to keep it.
    expect(await kept()).toEqual({
      ciphertext: expect.stringMatching(/^[A-Za-z0-9+/]{342}==$/),
      iv: null,
      authentication_tag: null,
      additional_authenticated_data: null,
      key_version: '0123456789abcdef0123456789abcdef',
      algo: 'RSA-OAEP-256',
    });
    expect(await worked(work.terrane('output', '-json'))).toContain('marker-first');
    if (TOFU === undefined) return;
    await worked(work.run(TOFU, 'init', '-input=false'));
    await worked(
      work.run(TOFU, 'apply', '-auto-approve', '-input=false', '-var=text=marker-second'),
    );
    expect(await kept()).toMatchObject({ iv: null, algo: 'RSA-OAEP-256' });
    expect(Object.keys(Object(await kept()))).toHaveLength(6);
    expect(await worked(work.terrane('output', '-json'))).toContain('marker-second');
  } finally {
    await work.remove();
  }
}, 120_000);
