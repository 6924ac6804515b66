import { convert, CtyError, parsePlainJson, quoteText, str, STRING } from '@terrane/cty';
import {
  constantScope,
  type Diagnostic,
  evaluate,
  hasErrors,
  parseTemplate,
  Source,
} from '@terrane/hcl';
import { bodyBytes, type HttpAnswer, discardBody, userErrorText } from '@terrane/host';
import { createHash } from 'node:crypto';
import { domainToASCII } from 'node:url';
import type { ProviderSource } from '@terrane/addresses';
import { statusText } from '../discovery/status-text.ts';
import { type OciAccess, OciRepository } from '../oci/oci-repository.ts';
import { validVersions } from '../versions/version.ts';
import { fieldOf, listOf, stringOf } from '../json-fields.ts';
import { authenticateByHashes } from './package-authentication.ts';
import { archiveName } from './package-place.ts';
import type { AvailableVersions, PackageMeta, PackageSource } from './package-source.ts';
import { type Platform, platformText } from './platform.ts';
import { notFound, platformNotSupported } from './source-error.ts';

const INDEX_TYPE = 'application/vnd.oci.image.index.v1+json';
const MANIFEST_TYPE = 'application/vnd.oci.image.manifest.v1+json';
const DESCRIPTOR_TYPE = 'application/vnd.oci.descriptor.v1+json';
const PROVIDER = 'application/vnd.opentofu.provider';
const PROVIDER_TARGET = 'application/vnd.opentofu.provider-target';
const MODULE = 'application/vnd.opentofu.modulepkg';
const PACKAGE = 'archive/zip';
const MAX_MEBIBYTES = 4;

/** A content descriptor of a manifest. */
interface Descriptor {
  readonly mediaType: string;
  readonly artifactType: string;
  readonly digest: string;
  readonly size: number;
  readonly platform: unknown;
}

/** A repository, and the name of it that messages have. */
interface Place {
  readonly repository: OciRepository;
  readonly name: string;
}

/** Packages in OCI registries, one repository for each provider, as OpenTofu has them (1.10 and later). */
export class OciMirror implements PackageSource {
  readonly #access: OciAccess;
  readonly #addressOf: (provider: ProviderSource) => string;
  readonly #places: Map<ProviderSource, Place> = new Map();

  /** `addressOf` returns the address of a provider's repository, and throws if it cannot be computed. */
  constructor(access: OciAccess, addressOf: (provider: ProviderSource) => string) {
    this.#access = access;
    this.#addressOf = addressOf;
  }

  describe(): string {
    return 'OCI registry provider mirror';
  }

  async availableVersions(provider: ProviderSource): Promise<AvailableVersions> {
    const place = this.#place(provider);
    // Tags must not have a plus sign.
    const texts = (await tagsOf(place, provider)).map((tag) => tag.replaceAll('_', '+'));
    return { versions: validVersions(texts), warnings: [] };
  }

  async packageMeta(
    provider: ProviderSource,
    version: string,
    platform: Platform,
  ): Promise<PackageMeta> {
    const { repository, name } = this.#place(provider);
    const index = await indexOf(repository, name, version.replaceAll('+', '_'));
    const target = selectTarget(index, provider, version, platform);
    const manifest = await manifestOf(repository, name, target);
    const layer = selectLayer(listOf(manifest, 'layers').map(descriptorOf));
    const sum = /^sha256:([0-9a-f]{64})$/.exec(layer.digest)?.[1];
    if (sum === undefined) {
      throw new Error(
        /^(?:sha384|sha512):/.test(layer.digest)
          ? `unsupported digest algorithm ${quoteText(layer.digest.split(':', 1)[0] ?? '')}`
          : `invalid digest ${quoteText(layer.digest)}: invalid checksum digest format`,
      );
    }
    const layerPlatform = fieldOf(layer, 'platform');
    if (
      layerPlatform !== undefined &&
      (stringOf(layerPlatform, 'os') !== platform.os ||
        stringOf(layerPlatform, 'architecture') !== platform.arch)
    ) {
      const artifactPlatform = platformText({
        os: stringOf(layerPlatform, 'os'),
        arch: stringOf(layerPlatform, 'architecture'),
      });
      throw new Error(
        `selected OCI artifact is for ${artifactPlatform}, but was expected to be for ${platformText(platform)}`,
      );
    }
    return {
      provider,
      version,
      platform,
      filename: archiveName(provider, version, platform),
      location: {
        kind: 'url',
        url: `https://${name.split('/', 1)[0]}/v2/${name.slice(name.indexOf('/') + 1)}/blobs/${layer.digest}`,
        size: layer.size,
        ask: (headers) => repository.get(`blobs/${layer.digest}`, '*/*', headers),
      },
      // Recorded as in OpenTofu, the only other program with these mirrors.
      authentication: async (files, localPackage) => {
        const packageHashes = [`zh:${sum}`];
        return {
          ...(await authenticateByHashes(packageHashes)(files, localPackage)),
          packageHashes,
        };
      },
    };
  }

  #place(provider: ProviderSource): Place {
    const existing = this.#places.get(provider);
    if (existing !== undefined) return existing;
    let address: { registry: string; repository: string };
    try {
      address = repositoryAddress(this.#addressOf(provider));
    } catch (error) {
      throw new Error(`selecting OCI repository address: ${userErrorText(error)}`, {
        cause: error,
      });
    }
    const { registry, repository } = address;
    const place = {
      repository: new OciRepository(this.#access, registry, repository),
      name: `${registry}/${repository}`,
    };
    this.#places.set(provider, place);
    return place;
  }
}

/** The variables of repository templates; the hostname is in its ASCII form. */
export function repositoryVariables({ hostname, namespace, type }: ProviderSource): {
  readonly hostname: string;
  readonly namespace: string;
  readonly type: string;
} {
  const [name = '', port] = hostname.split(':');
  const host = `${domainToASCII(name)}${port === undefined ? '' : `:${port}`}`;
  return { hostname: host, namespace, type };
}

/** Evaluates an HCL template of a repository address. Throws if it fails or is not a string. */
export function evaluateTemplate(template: string, provider: ProviderSource): string {
  const { hostname, namespace, type } = repositoryVariables(provider);
  const source = new Source('<oci_mirror repository_template>', template, { unshown: true });
  const parsed = parseTemplate(source);
  const diagnostics: Diagnostic[] = [...parsed.diagnostics];
  const scope = constantScope({
    hostname: str(hostname),
    namespace: str(namespace),
    type: str(type),
  });
  const value = evaluate(parsed.expression, scope, diagnostics);
  const [problem] = diagnostics;
  if (hasErrors(diagnostics) && problem !== undefined) {
    throw new Error(`${problem.summary}: ${problem.detail}`);
  }
  try {
    const text = convert(value, STRING);
    if (text.isNull || !text.isKnown) throw new Error('template must not produce a null value');
    return text.asString();
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    throw new Error('template must produce a string value', { cause: error });
  }
}

const REGISTRY = /^(?:[A-Za-z0-9.\-_]+|\[[0-9a-fA-F:]+\])(?::[0-9]+)?$/;
const PART = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*';
const REPOSITORY = new RegExp(`^${PART}(?:/${PART})*$`);

function repositoryAddress(text: string): { registry: string; repository: string } {
  const slash = text.indexOf('/');
  if (slash === -1) throw new Error('invalid reference: missing registry or repository');
  const registry = text.slice(0, slash);
  const rest = text.slice(slash + 1);
  if (/[@:]/.test(rest)) {
    throw new Error('invalid reference: artifact tag or digest not allowed');
  }
  if (!REGISTRY.test(registry)) {
    throw new Error(`invalid reference: invalid registry ${quoteText(registry)}`);
  }
  if (!REPOSITORY.test(rest)) {
    throw new Error(`invalid reference: invalid repository ${quoteText(rest)}`);
  }
  return { registry, repository: rest };
}

async function tagsOf({ repository }: Place, provider: ProviderSource): Promise<string[]> {
  const tags: string[] = [];
  let path: string | undefined = 'tags/list';
  while (path !== undefined) {
    const answer: HttpAnswer = await repository.get(path, 'application/json');
    if (answer.status !== 200) {
      if (await saysUnknown(answer)) throw notFound(provider);
      throw new Error(`listing tags from OCI repository: ${refusal('GET', answer)}`);
    }
    tags.push(...listOf(await jsonOf(answer), 'tags').map(String));
    path = nextPage(answer);
  }
  return tags;
}

/** The address of the rest of a list, which `Link: <…>; rel="next"` names. */
function nextPage({ headers, url }: HttpAnswer): string | undefined {
  const target = /<([^>]*)>\s*;\s*rel="?next"?/.exec(headers['link'] ?? '')?.[1];
  return target === undefined ? undefined : new URL(target, url).href;
}

/** Returns true if a registry reports an unknown repository. */
async function saysUnknown(answer: HttpAnswer): Promise<boolean> {
  let errors: readonly unknown[] = [];
  try {
    errors = listOf(await jsonOf(answer), 'errors');
  } catch {
    // The response is not understood.
  }
  if (errors.length === 0) return answer.status === 404;
  return errors.some((each) => /^NAME_(?:UNKNOWN|INVALID)$/.test(stringOf(each, 'code')));
}

async function jsonOf(answer: HttpAnswer): Promise<unknown> {
  const bytes = await bodyBytes(answer, MAX_MEBIBYTES * 1024 * 1024);
  return parsePlainJson(new TextDecoder().decode(bytes));
}

function refusal(method: string, { status, url }: HttpAnswer): string {
  return `${method} ${quoteText(url)}: response status code ${statusText(status).replace(' ', ': ')}`;
}

async function indexOf(repository: OciRepository, name: string, tag: string): Promise<unknown> {
  const trouble = (reason: string): Error =>
    new Error(`resolving tag ${quoteText(tag)}: ${reason}`);
  let answer: HttpAnswer;
  try {
    answer = await repository.get(`manifests/${tag}`, `${INDEX_TYPE}, ${MANIFEST_TYPE}`);
  } catch (error) {
    throw trouble(userErrorText(error));
  }
  if (answer.status !== 200) {
    await discardBody(answer);
    throw trouble(answer.status === 404 ? `${name}:${tag}: not found` : refusal('HEAD', answer));
  }
  const media = (answer.headers['content-type'] ?? '').split(';', 1)[0]?.trim() ?? '';
  const bytes = await bodyBytes(answer, MAX_MEBIBYTES * 1024 * 1024);
  checkDigest(bytes, answer.headers['docker-content-digest']);
  switch (media) {
    case INDEX_TYPE:
      return parseManifest(bytes, INDEX_TYPE, PROVIDER);
    case MANIFEST_TYPE:
      throw new Error(
        'selected an OCI image manifest directly, but providers must be selected through a multi-platform index manifest',
      );
    case DESCRIPTOR_TYPE:
      throw new Error('found OCI descriptor but expected multi-platform index manifest');
    default:
      throw new Error(`unsupported media type ${quoteText(media)} for OCI index manifest`);
  }
}

function parseManifest(bytes: Uint8Array, mediaType: string, artifactType: string): unknown {
  let manifest: unknown;
  try {
    manifest = parsePlainJson(new TextDecoder().decode(bytes));
  } catch (error) {
    throw new Error(`invalid manifest content: ${userErrorText(error)}`, { cause: error });
  }
  const media = stringOf(manifest, 'mediaType');
  if (media !== mediaType) throw new Error(`unexpected manifest media type ${quoteText(media)}`);
  const artifact = stringOf(manifest, 'artifactType');
  if (artifact === artifactType) return manifest;
  if (artifactType === PROVIDER && artifact === PROVIDER_TARGET) {
    throw new Error(
      'tag refers directly to image manifest, but OpenTofu providers require an index manifest for multi-platform support',
    );
  }
  if (artifact === MODULE) {
    throw new Error('selected OCI artifact is an OpenTofu module package, not a provider package');
  }
  throw new Error(`unexpected artifact type ${quoteText(artifact)}`);
}

function checkDigest(bytes: Uint8Array, digest: string | undefined): void {
  if (digest === undefined) return;
  const [algorithm = '', sum] = digest.split(':');
  const known = /^sha(?:256|384|512)$/.test(algorithm);
  if (known && createHash(algorithm).update(bytes).digest('hex') === sum) return;
  throw new Error(`manifest content does not match digest ${digest}`);
}

function descriptorOf(value: unknown): Descriptor {
  const size = fieldOf(value, 'size');
  return {
    mediaType: stringOf(value, 'mediaType'),
    artifactType: stringOf(value, 'artifactType'),
    digest: stringOf(value, 'digest'),
    size: typeof size === 'number' ? size : 0,
    platform: fieldOf(value, 'platform'),
  };
}

/** The manifest for a platform, of those that an index names. */
function selectTarget(
  index: unknown,
  provider: ProviderSource,
  version: string,
  platform: Platform,
): Descriptor {
  const selected: Descriptor[] = [];
  let otherPlatform = false;
  let otherType = '';
  for (const each of listOf(index, 'manifests').map(descriptorOf)) {
    if (each.artifactType !== PROVIDER_TARGET) {
      if (each.artifactType !== '') otherType = each.artifactType;
      continue;
    }
    if (each.mediaType !== MANIFEST_TYPE) {
      throw new Error(
        `provider image manifest has unsupported media type ${quoteText(each.mediaType)}`,
      );
    }
    if (each.platform === undefined) {
      throw new Error('provider image manifest lacks the required platform constraints');
    }
    const fits =
      stringOf(each.platform, 'os.version') === '' &&
      stringOf(each.platform, 'os') === platform.os &&
      stringOf(each.platform, 'architecture') === platform.arch;
    if (fits) selected.push(each);
    else otherPlatform = true;
  }
  const [only, second] = selected;
  if (second !== undefined) {
    throw new Error(
      `ambiguous manifest has multiple descriptors for platform ${platformText(platform)}`,
    );
  }
  if (only !== undefined) return only;
  if (otherPlatform) throw platformNotSupported(provider, version, platform);
  throw new Error(
    otherType === ''
      ? 'provider image manifest has unsupported artifact type; is this a container image, rather than an OpenTofu provider?'
      : `provider image manifest has unsupported artifact type ${quoteText(otherType)}`,
  );
}

async function manifestOf(
  repository: OciRepository,
  name: string,
  { digest, size }: Descriptor,
): Promise<unknown> {
  if (Math.floor(size / 1024 / 1024) > MAX_MEBIBYTES) {
    throw new Error(`manifest size exceeds OpenTofu's size limit of ${MAX_MEBIBYTES} MiB`);
  }
  const answer = await repository.get(`manifests/${digest}`, MANIFEST_TYPE);
  if (answer.status !== 200) {
    await discardBody(answer);
    throw new Error(
      answer.status === 404 ? `${name}@${digest}: not found` : refusal('GET', answer),
    );
  }
  const bytes = await bodyBytes(answer, (MAX_MEBIBYTES + 1) * 1024 * 1024);
  checkDigest(bytes, digest);
  return parseManifest(bytes, MANIFEST_TYPE, PROVIDER_TARGET);
}

function selectLayer(layers: readonly Descriptor[]): Descriptor {
  const packages = layers.filter(({ mediaType }) => mediaType === PACKAGE);
  const [only, second] = packages;
  if (second !== undefined) {
    throw new Error('ambiguous manifest declares multiple eligible provider packages');
  }
  if (only !== undefined) return only;
  const none = `image manifest contains no layers of type ${quoteText(PACKAGE)}`;
  throw new Error(
    layers.length > 0
      ? `${none}, but has other unsupported formats; this OCI artifact might be intended for a different version of OpenTofu`
      : none,
  );
}
