import { parsePlainJson, quoteText } from '@terrane/cty';
import { createHash } from 'node:crypto';
import { type GoUrl, queryOf } from '@terrane/addresses';
import { expectUserError } from '@terrane/host';
import { OciRepository } from '../../oci/oci-repository.ts';
import { FetchFailed } from './fetch-failed.ts';
import type { Getter } from './getter.ts';

const MANIFEST_TYPE = 'application/vnd.oci.image.manifest.v1+json';
const ARTIFACT_TYPE = 'application/vnd.opentofu.modulepkg';
const PACKAGE_TYPE = 'archive/zip';
const MANIFEST_BYTES = 5 * 1024 * 1024 - 1;

interface Layer {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

/** Packages in OCI registries, as OpenTofu has them: an image with one layer, a zip archive. */
export const OCI_GETTER: Getter = {
  async directory(context, url, destination) {
    const { registry, repository } = placeOf(url);
    const reference = referenceOf(url);
    const store = new OciRepository(context, registry, repository);
    const manifest = await store.manifest(
      reference.text,
      MANIFEST_TYPE,
      MANIFEST_BYTES,
      reference.kind,
    );
    const layer = chooseLayer(layersOf(manifest));
    const archive = await store.blob(layer.digest);
    if (archive.length !== layer.size || !hashesTo(archive, layer.digest)) {
      throw new FetchFailed('invalid blob returned from registry: mismatched digest');
    }
    const { unpack } = await import('../archives/unpack.ts');
    try {
      await unpack(context.host.files, 'zip', archive, destination, 'the package');
    } catch (error) {
      if (!(error instanceof FetchFailed)) throw error;
      throw new FetchFailed(`decompressing package into ${destination}: ${error.message}`, error);
    }
  },
  async file() {
    return await Promise.reject(
      new FetchFailed(
        'the "archive" argument is not allowed for OCI sources, because the archive format is detected automatically from the image manifest',
      ),
    );
  },
};

function placeOf(url: GoUrl): { readonly registry: string; readonly repository: string } {
  if (url.scheme === '') throw new FetchFailed('oci source type requires an absolute URL');
  if (url.scheme !== 'oci') throw new FetchFailed('oci source type only supports oci URL scheme');
  const registry = url.host;
  const repository = url.path.replace(/^\//, '');
  if (!/^[A-Za-z0-9.\-_]+(?::[0-9]+)?$|^\[[0-9a-fA-F:]+\](?::[0-9]+)?$/.test(registry)) {
    throw new FetchFailed(`invalid reference: invalid registry ${quoteText(registry)}`);
  }
  if (
    !/^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*$/.test(
      repository,
    )
  ) {
    throw new FetchFailed(`invalid reference: invalid repository ${quoteText(repository)}`);
  }
  return { registry, repository };
}

function referenceOf(url: GoUrl): {
  readonly kind: 'tag' | 'digest';
  readonly text: string;
} {
  const query = queryOf(url);
  const unsupported: string[] = [];
  for (const [name, values] of query) {
    const [value = ''] = values;
    if (values.length > 1) throw new FetchFailed(`too many ${quoteText(name)} arguments`);
    if (name !== 'tag' && name !== 'digest') unsupported.push(name);
    else if (value === '') throw new FetchFailed(`${name} argument must not be empty`);
    else if (name === 'tag' && !/^\w[\w.-]{0,127}$/.test(value)) {
      throw new FetchFailed(`invalid reference: invalid tag ${quoteText(value)}`);
    } else if (name === 'digest') checkDigest(value);
  }
  if (unsupported.length === 1) {
    throw new FetchFailed(`unsupported argument ${quoteText(unsupported[0] ?? '')}`);
  }
  if (unsupported.length > 1) {
    throw new FetchFailed(`unsupported arguments: ${unsupported.sort().join(', ')}`);
  }
  const [tag, digest] = [query.get('tag')?.[0], query.get('digest')?.[0]];
  if (tag !== undefined && digest !== undefined) {
    throw new FetchFailed('cannot set both "tag" and "digest" arguments');
  }
  if (digest !== undefined) return { kind: 'digest', text: digest };
  return { kind: 'tag', text: tag ?? 'latest' };
}

function checkDigest(text: string): void {
  const match = /^([a-z0-9]+(?:[.+_-][a-z0-9]+)*):([A-Za-z0-9=_-]+)$/.exec(text);
  if (match === null) throw new FetchFailed('invalid digest: invalid checksum digest format');
  const length = { sha256: 64, sha384: 96, sha512: 128 }[match[1] ?? ''];
  if (length === undefined) throw new FetchFailed('invalid digest: unsupported digest algorithm');
  if (match[2]?.length !== length) {
    throw new FetchFailed('invalid digest: invalid checksum digest length');
  }
  if (!/^[a-f0-9]+$/.test(match[2])) {
    throw new FetchFailed('invalid digest: invalid checksum digest format');
  }
}

/** Returns true if bytes have a digest of the form `sha256:…`. */
function hashesTo(bytes: Uint8Array, digest: string): boolean {
  const [algorithm = '', value = ''] = digest.split(':');
  if (!['sha256', 'sha384', 'sha512'].includes(algorithm)) return false;
  return createHash(algorithm).update(bytes).digest('hex') === value;
}

function layersOf(bytes: Uint8Array): readonly Layer[] {
  let manifest: unknown;
  try {
    manifest = parsePlainJson(new TextDecoder().decode(bytes));
  } catch (error) {
    expectUserError(error);
    throw new FetchFailed(`invalid manifest content: ${String(error)}`, error);
  }
  const fields = new Map(
    typeof manifest === 'object' && manifest !== null ? Object.entries(manifest) : [],
  );
  const mediaType: unknown = fields.get('mediaType');
  if (mediaType !== MANIFEST_TYPE) {
    throw new FetchFailed(`unexpected manifest media type ${quoteText(textOf(mediaType))}`);
  }
  const artifactType: unknown = fields.get('artifactType');
  if (artifactType !== ARTIFACT_TYPE) {
    throw new FetchFailed(`unexpected artifact type ${quoteText(textOf(artifactType))}`);
  }
  const layers: unknown = fields.get('layers');
  return Array.isArray(layers) ? layers.filter(isLayer) : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function isLayer(value: unknown): value is Layer {
  return (
    typeof value === 'object' &&
    value !== null &&
    'mediaType' in value &&
    typeof value.mediaType === 'string' &&
    'digest' in value &&
    typeof value.digest === 'string' &&
    'size' in value &&
    typeof value.size === 'number'
  );
}

function chooseLayer(layers: readonly Layer[]): Layer {
  const fitting = layers.filter(({ mediaType }) => mediaType === PACKAGE_TYPE);
  if (fitting.length > 1) {
    throw new FetchFailed(`multiple layers with media type ${quoteText(PACKAGE_TYPE)}`);
  }
  const [layer] = fitting;
  if (layer !== undefined) return layer;
  const none =
    'image manifest contains no layers of types supported as module packages by OpenTofu';
  throw new FetchFailed(
    layers.length === 0
      ? none
      : `${none}, but has other unsupported formats; this OCI artifact might be intended for a different version of OpenTofu`,
  );
}
