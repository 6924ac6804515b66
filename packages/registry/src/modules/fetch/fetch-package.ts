import {
  type GoUrl,
  parseGoUrl,
  queryEncode,
  queryOf,
  splitForcedGetter,
  splitSubdirectory,
} from '@terrane/addresses';
import { type Environment, userErrorText } from '@terrane/host';
import { type ArchiveKind, archiveKind, archiveKindOfPath } from '../archives/archive-kind.ts';
import { copyDirectory } from '../copy-directory.ts';
import { expandGlob } from '../expand-glob.ts';
import { checksumOf, verifyChecksum } from './checksum.ts';
import { type FetchContext, scratchPath } from './fetch-context.ts';
import { FetchFailed } from './fetch-failed.ts';
import type { Getter } from './getter.ts';
import { redactedUrl } from './redact.ts';

/** The maximum number of redirections by `X-Terraform-Get`. */
const MAX_POINTERS = 10;

/**
 * Fetches the package at an address (`git::https://…?ref=v1`) into a new directory, as go-getter does with the getters
 * that Terraform allows. After a rejection, the content of the directory is undefined.
 */
export async function fetchPackage(
  context: FetchContext,
  address: string,
  destination: string,
  pointers = 0,
): Promise<void> {
  const { getter: forced, address: rest } = splitForcedGetter(address);
  const { address: text, subdirectory } = splitSubdirectory(rest);
  if (subdirectory !== '') {
    await fetchPart(context, { forced, text, subdirectory }, destination, pointers);
    return;
  }
  const parsed = parseAddress(text, context.host.environment);
  if ('error' in parsed) throw new FetchFailed(parsed.error);
  const scheme = forced === '' ? parsed.scheme : forced;
  const getter = await getterOf(scheme, pointers);
  const query = new Map(queryOf(parsed));
  const kind = kindOf(query.get('archive')?.[0] ?? '', parsed);
  const checksum = await checksumOf(context, query.get('checksum')?.[0] ?? '', parsed);
  const special = query.delete('archive');
  const url: GoUrl =
    query.delete('checksum') || special || parsed.rawQuery !== ''
      ? { ...parsed, rawQuery: queryEncode(query) }
      : parsed;
  if (kind === undefined) {
    if (checksum !== undefined) {
      throw new FetchFailed('checksum cannot be specified for directory download');
    }
    try {
      await getter.directory(context, url, destination);
    } catch (error) {
      context.signal.throwIfAborted();
      throw new FetchFailed(
        `error downloading '${redactedUrl(url)}': ${userErrorText(error)}`,
        error,
      );
    }
    return;
  }
  const archive = await getter.file(context, url);
  const name = url.path.slice(url.path.lastIndexOf('/') + 1);
  if (checksum !== undefined) verifyChecksum(checksum, archive, name);
  const { unpack } = await import('../archives/unpack.ts');
  await unpack(context.host.files, kind, archive, destination, name);
}

/** Returns true if an address means a directory of this machine, which is linked instead of copied. */
export function isLocalDirectory(
  address: string,
  environment: Pick<Environment, 'platform'>,
): boolean {
  const { getter: forced, address: rest } = splitForcedGetter(address);
  const parsed = parseAddress(splitSubdirectory(rest).address, environment);
  if ('error' in parsed) return false;
  const query = queryOf(parsed);
  return (
    (forced === '' ? parsed.scheme : forced) === 'file' &&
    kindOf(query.get('archive')?.[0] ?? '', parsed) === undefined
  );
}

/**
 * Parses the URL of a package. On Windows, a path with a drive is the URL of a file, backslashes are slashes, and the
 * path of a URL begins with the drive, as in go-getter.
 */
function parseAddress(
  text: string,
  { platform }: Pick<Environment, 'platform'>,
): ReturnType<typeof parseGoUrl> {
  if (platform !== 'win32') return parseGoUrl(text);
  const slashed = text.replaceAll('\\', '/').replace(/^(?:file:\/\/)?(?=[A-Za-z]:\/)/, 'file:///');
  const parsed = parseGoUrl(slashed);
  if ('error' in parsed) return parsed;
  const withoutRoot = (path: string): string => path.replace(/^\/(?=[A-Za-z]:)/, '');
  return { ...parsed, path: withoutRoot(parsed.path), rawPath: withoutRoot(parsed.rawPath) };
}

async function fetchPart(
  context: FetchContext,
  part: { readonly forced: string; readonly text: string; readonly subdirectory: string },
  destination: string,
  pointers: number,
): Promise<void> {
  if (part.subdirectory.split(/[/\\]/).includes('..')) {
    throw new FetchFailed('subdirectory component contain path traversal out of the repository');
  }
  const packageDirectory = scratchPath(context);
  const address = part.forced === '' ? part.text : `${part.forced}::${part.text}`;
  const { files } = context.host;
  try {
    await fetchPackage(context, address, packageDirectory, pointers);
    const matchedDirectory = await expandGlob(files, packageDirectory, part.subdirectory);
    await copyDirectory(files, matchedDirectory, destination);
  } finally {
    await files.removeTree(packageDirectory);
  }
}

function kindOf(archiveType: string, url: GoUrl): ArchiveKind | undefined {
  if (archiveType === '') return archiveKindOfPath(url.path);
  return archiveKind(archiveType);
}

async function getterOf(scheme: string, pointers: number): Promise<Getter> {
  switch (scheme) {
    case 'file':
      return (await import('./file-getter.ts')).FILE_GETTER;
    case 'git':
      return (await import('./git-getter.ts')).GIT_GETTER;
    case 'hg':
      return (await import('./mercurial-getter.ts')).MERCURIAL_GETTER;
    case 'http':
    case 'https': {
      const { httpGetter } = await import('./http-getter.ts');
      return httpGetter(async (context, address, destination) => {
        if (pointers >= MAX_POINTERS) {
          throw new FetchFailed(`too many X-Terraform-Get redirects: ${pointers + 1}`);
        }
        await fetchPackage(context, address, destination, pointers + 1);
      });
    }
    case 's3':
      return (await import('./s3-getter.ts')).S3_GETTER;
    case 'gcs':
      return (await import('./gcs-getter.ts')).GCS_GETTER;
    case 'oci':
      return (await import('./oci-getter.ts')).OCI_GETTER;
    default:
      throw new FetchFailed(`download not supported for scheme '${scheme}'`);
  }
}
