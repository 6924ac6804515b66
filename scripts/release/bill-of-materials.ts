import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.ts';
import { bundledPackages, readPackage } from '../third-party-notices.ts';
import { readJson } from './identity.ts';

/** A package whose code a release contains. */
export interface Component {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  /** digest of the lock file, such as "sha512-…" in base64 */
  readonly integrity?: string | undefined;
}

const packageUrl = ({ name, version }: Pick<Component, 'name' | 'version'>): string =>
  `pkg:npm/${name.replace(/^@/, '%40')}@${version}`;

function componentOf({ name, version, license, integrity }: Component): object {
  const spdx = /^[\w.+-]+$/.test(license) ? { license: { id: license } } : { expression: license };
  const sha512 = integrity?.replace(/^sha512-/, '');
  return {
    type: 'library',
    'bom-ref': packageUrl({ name, version }),
    name,
    version,
    purl: packageUrl({ name, version }),
    licenses: [spdx],
    ...(sha512 === undefined
      ? {}
      : { hashes: [{ alg: 'SHA-512', content: Buffer.from(sha512, 'base64').toString('hex') }] }),
  };
}

/** Returns the bill of materials of the program in CycloneDX 1.6. Equal components yield equal text. */
export function billOfMaterials(version: string, components: readonly Component[]): string {
  const refs = components.map(packageUrl);
  const digest = createHash('sha256')
    .update(JSON.stringify([version, components]))
    .digest('hex');
  const serial = `${digest.slice(0, 8)}-${digest.slice(8, 12)}-5${digest.slice(13, 16)}-8${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
  const document = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${serial}`,
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': packageUrl({ name: 'terrane', version }),
        name: 'terrane',
        version,
        purl: packageUrl({ name: 'terrane', version }),
        licenses: [{ license: { id: 'MPL-2.0' } }],
      },
    },
    components: components.map(componentOf),
    dependencies: [
      { ref: packageUrl({ name: 'terrane', version }), dependsOn: refs },
      ...refs.map((ref) => ({ ref })),
    ],
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

/** Returns the folder of the package with Node.js for this machine. */
export function nodeFolder(): string {
  const name = readdirSync(join(root, 'node_modules')).find((each) =>
    /^node-(?:bin-)?(?:linux|darwin|win)-/.test(each),
  );
  if (name === undefined) throw new Error('node_modules contains no package with Node.js');
  return join(root, 'node_modules', name);
}

/**
 * Returns the packages whose code the built program or its executables contain: those that were bundled, the addon for
 * locks, and Node.js.
 */
export function programComponents(): readonly Component[] {
  const { packages } = readJson<{
    packages: Readonly<Record<string, { readonly version: string; readonly integrity?: string }>>;
  }>('package-lock.json');
  const integrityOf = (name: string, wanted: string): string | undefined =>
    Object.entries(packages).find(
      ([path, entry]) => path.endsWith(`node_modules/${name}`) && entry.version === wanted,
    )?.[1].integrity;
  const bundled = bundledPackages(root, readJson<readonly string[]>('.build/cli-inputs.json'));
  const addon = readPackage(join(root, 'node_modules/fs-native-extensions'));
  return [...bundled, addon, readPackage(nodeFolder())].map(({ name, version, license }) => ({
    name,
    version,
    license,
    integrity: integrityOf(name, version),
  }));
}
