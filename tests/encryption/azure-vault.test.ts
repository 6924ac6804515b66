// Keys of an Azure vault, from a server that behaves as Microsoft documents. opentofu.interop.ts shares them with OpenTofu.
import { expect, it } from 'vitest';
import { worked } from '../backends/programs.ts';
import { vaultPlace } from './azure-vault-place.ts';

it('provides keys, and recovers them', async () => {
  await using place = await vaultPlace();
  const { work } = place;
  await worked(work.terrane('init', '-input=false'));
  await worked(work.terrane('apply', '-auto-approve', '-input=false'));
  expect(await place.state()).not.toContain('marker');
  // As OpenTofu 1.12.6 stores it.
  expect(await place.metadata()).toEqual({
    ciphertext: expect.stringMatching(/^[A-Za-z0-9+/]{342}==$/),
    iv: null,
    authentication_tag: null,
    additional_authenticated_data: null,
    key_version: '0123456789abcdef0123456789abcdef',
    algo: 'RSA-OAEP-256',
  });
  expect(await worked(work.terrane('output', '-json'))).toContain('marker-first');
});
