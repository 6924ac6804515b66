import { createHash } from 'node:crypto';

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
