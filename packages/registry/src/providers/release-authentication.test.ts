import { createHash } from 'node:crypto';
import { memoryHost } from '@terrane/testkit';
import { expect, it } from 'vitest';
import type { Authenticated } from './package-authentication.ts';
import { authenticateRelease, type Release } from './release-authentication.ts';

const ARCHIVE = 'archive';
const SUM = createHash('sha256').update(ARCHIVE).digest('hex');
const FILE = 'terraform-provider-x_1.0.0_linux_amd64.zip';
const other = { hashes: [`zh:${'a'.repeat(64)}`, 'h1:windows'], size: 9 };
const thisPackage = { hashes: [`zh:${SUM}`, 'h1:linux', 'h9:unknown'], size: ARCHIVE.length };

async function authenticate(
  changes: Partial<Release>,
  variables: Readonly<Record<string, string>> = {},
): Promise<Authenticated> {
  const host = memoryHost({ variables });
  await host.files.writeFile(`/${FILE}`, ARCHIVE);
  const authentication = authenticateRelease({
    document: Buffer.from(`${SUM}  ${FILE}\n`),
    signature: new Uint8Array(),
    filename: FILE,
    sum: SUM,
    keys: [],
    packages: new Map([
      ['linux_amd64', thisPackage],
      ['windows_amd64', other],
    ]),
    platform: { os: 'linux', arch: 'amd64' },
    registry: 'registry.opentofu.org',
    environment: host.environment,
    clock: host.clock,
    ...changes,
  });
  return await authentication(host.files, { kind: 'archive', path: `/${FILE}` });
}

it('records checksums of all platforms that the registry of OpenTofu names', async () => {
  expect(await authenticate({})).toEqual({
    result: { kind: 'checksum' },
    hashes: [`zh:${SUM}`, `zh:${SUM}`, 'h1:linux', ...other.hashes],
  });
});

it('records signed checksums only if signatures are required', async () => {
  const enforced = { OPENTOFU_ENFORCE_GPG_VALIDATION: 'true' };
  await expect(authenticate({}, enforced)).rejects.toThrow('unknown issuer');
  await expect(authenticate({ registry: 'example.com' })).rejects.toThrow('unknown issuer');
});

it.each([
  ['of another size', { ...thisPackage, size: 8 }, 'indicates a package of size 8, but received'],
  ['of no size', { ...thisPackage, size: 0 }, 'invalid package size 0'],
  [
    'with another checksum',
    { ...thisPackage, hashes: other.hashes },
    "does not match the platform's value",
  ],
  [
    'without a checksum',
    { ...thisPackage, hashes: ['h1:linux'] },
    'does not contain matching sha256sum',
  ],
])('rejects a package that the registry describes as %s', async (_, entry, problem) => {
  const packages = new Map([['linux_amd64', entry]]);
  await expect(authenticate({ packages })).rejects.toThrow(problem);
});

it('refuses a package whose platform the registry does not list', async () => {
  const packages = new Map([['windows_amd64', other]]);
  await expect(authenticate({ packages })).rejects.toThrow(
    'registry response missing package with platform "linux_amd64"',
  );
});

// Lists of checksums as the registry or an attacker in between may change them.
it.each([
  ['without the file', `${SUM}  other.zip\n`, 'has no SHA-256 hash'],
  [
    'with the file twice, wrong first',
    `${'b'.repeat(64)}  ${FILE}\n${SUM}  ${FILE}\n`,
    'unexpected',
  ],
  ['with a short checksum', `${SUM.slice(1)}  ${FILE}\n`, 'invalid SHA256 hash'],
  ['with a name that contains the file', `${SUM}  ../${FILE}\n`, 'has no SHA-256 hash'],
  ['that is empty', '', 'has no SHA-256 hash'],
])('refuses a list of checksums %s', async (_, list, problem) => {
  await expect(authenticate({ document: Buffer.from(list) })).rejects.toThrow(problem);
});

it('ignores lines that are no checksums', async () => {
  const list = `${SUM}  ${FILE}\nnot-a-sum  evil.zip\n`;
  const { hashes } = await authenticate({ document: Buffer.from(list), packages: new Map() });
  expect(hashes).toEqual([`zh:${SUM}`]);
});
