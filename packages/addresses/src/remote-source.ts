import { quoteText } from '@terrane/cty';
import { cleanPath } from './clean-path.ts';
import { goUrlText, parseGoUrl, queryEncode, queryParse } from './go-url.ts';

/** The error for a malformed module source address; `maybeRelative` marks text that looks like a path without "./". */
export interface ModuleSourceError {
  readonly error: string;
  readonly maybeRelative?: string;
}

/** A package that a downloader fetches, and the directory in it that is the module ("" for the package itself). */
export interface RemoteSource {
  readonly kind: 'remote';
  /** with explicit getter and scheme: `git::https://github.com/a/b.git?ref=x` */
  readonly package: string;
  readonly subdirectory: string;
}

/**
 * Understands a source that is neither a local path nor a registry address, and spells its shorthands out
 * (moduleaddrs.parseModuleSourceRemote).
 */
export function parseRemoteSource(
  text: string,
): { readonly source: RemoteSource } | ModuleSourceError {
  const { address, subdirectory } = splitSubdirectory(text);
  if (subdirectory.startsWith('../')) {
    return {
      error: `subdirectory path ${quoteText(subdirectory)} leads outside of the module package`,
    };
  }
  const expanded = expandShorthand(address);
  if ('error' in expanded) return expanded;
  const split = splitSubdirectory(expanded.address);
  let inside = subdirectory;
  if (split.subdirectory !== '') {
    inside = cleanPath(`${split.subdirectory}/${subdirectory}`);
    if (inside.startsWith('../')) {
      return {
        error: `detected subdirectory path ${quoteText(inside)} of ${quoteText(split.address)} leads outside of the module package`,
      };
    }
  }
  return { source: { kind: 'remote', package: split.address, subdirectory: inside } };
}

/** The source as the originals print it, and keep it in their manifests. */
export function remoteSourceText({ package: base, subdirectory }: RemoteSource): string {
  if (subdirectory === '') return base;
  const query = base.indexOf('?');
  if (query === -1) return `${base}//${subdirectory}`;
  return `${base.slice(0, query)}//${subdirectory}${base.slice(query)}`;
}

/** Splits the subdirectory after `//` off an address; the query stays with the address. */
export function splitSubdirectory(text: string): {
  readonly address: string;
  readonly subdirectory: string;
} {
  const query = text.indexOf('?');
  const stop = query === -1 ? text.length : query;
  const scheme = text.slice(0, stop).indexOf('://');
  const offset = scheme === -1 ? 0 : scheme + 3;
  const at = text.slice(0, stop).indexOf('//', offset);
  if (at === -1) return { address: text, subdirectory: '' };
  const rest = text.slice(at + 2);
  const restQuery = rest.indexOf('?');
  const directory = restQuery === -1 ? rest : rest.slice(0, restQuery);
  return {
    address: text.slice(0, at) + (restQuery === -1 ? '' : rest.slice(restQuery)),
    subdirectory: directory === '' ? '' : cleanPath(directory),
  };
}

/** Splits `git::…` into the forced getter and the rest; without a forced getter, the getter is undefined. */
export function splitForcedGetter(text: string): {
  readonly getter: string;
  readonly address: string;
} {
  const forced = /^([A-Za-z0-9]+)::([^\n]+)$/.exec(text);
  return { getter: forced?.[1] ?? '', address: forced?.[2] ?? text };
}

type Expanded = { readonly address: string } | ModuleSourceError;
/** undefined: not of this kind */
type Detector = (address: string) => Expanded | undefined;

function expandShorthand(text: string): Expanded {
  const { getter, address } = splitForcedGetter(text);
  const split = splitSubdirectory(address);
  const parsed = parseGoUrl(split.address);
  if ('scheme' in parsed && parsed.scheme !== '') return { address: text };
  for (const detect of DETECTORS) {
    const detected = split.address === '' ? undefined : detect(split.address);
    if (detected === undefined) continue;
    if ('error' in detected) return detected;
    const forced = splitForcedGetter(detected.address);
    const inner = splitSubdirectory(forced.address);
    let subdirectory = split.subdirectory;
    if (inner.subdirectory !== '') {
      subdirectory = cleanPath(`${inner.subdirectory}/${subdirectory}`);
    }
    let result = inner.address;
    if (subdirectory !== '') {
      const url = parseGoUrl(result);
      if ('error' in url) return { error: `Error parsing URL: ${url.error}` };
      const path = `${url.path}//${subdirectory}`;
      result = goUrlText({ ...url, path, rawPath: path });
    }
    const force = getter === '' ? forced.getter : getter;
    return { address: force === '' ? result : `${force}::${result}` };
  }
  return { error: `invalid source address: ${text}` };
}

const detectGitHub: Detector = (address) => {
  if (!address.startsWith('github.com/')) return undefined;
  const query = address.indexOf('?');
  const parts = (query === -1 ? address : address.slice(0, query)).split('/');
  if (parts.length < 3) return { error: 'GitHub URLs should be github.com/username/repo' };
  const url = parseGoUrl(`https://${parts.slice(0, 3).join('/')}`);
  if ('error' in url) return { error: `error parsing GitHub URL: ${url.error}` };
  let { path } = url;
  if (!path.endsWith('.git')) path += '.git';
  if (parts.length > 3) path += `//${parts.slice(3).join('/')}`;
  const rawQuery = query === -1 ? '' : address.slice(query + 1);
  return { address: `git::${goUrlText({ ...url, path, rawQuery })}` };
};

const SCP_STYLE = /^(?:([^@]+)@)?([^:]+):\/?([^\n]+)$/;

const detectGit: Detector = (address) => {
  const matched = SCP_STYLE.exec(address);
  // Only the user `git` identifies text with a colon as a Git address.
  if (matched === null || matched[1] !== 'git') return undefined;
  const [, , host = '', rest = ''] = matched;
  const query = rest.indexOf('?');
  const path = query === -1 ? rest : rest.slice(0, query);
  let rawQuery = '';
  if (query !== -1) {
    const values = queryParse(rest.slice(query + 1));
    if ('error' in values) return { error: `error parsing Git SSH URL: ${values.error}` };
    rawQuery = queryEncode(values.values);
  }
  const url = { scheme: 'ssh', user: 'git', host, path, rawPath: '', rawQuery, fragment: '' };
  return { address: `git::${goUrlText(url)}` };
};

const detectBitBucket: Detector = (address) => {
  if (!address.startsWith('bitbucket.org/')) return undefined;
  const url = parseGoUrl(`https://${address}`);
  if ('error' in url) return { error: `error parsing BitBucket URL: ${url.error}` };
  const path = url.path.endsWith('.git') ? url.path : `${url.path}.git`;
  return { address: `git::${goUrlText({ ...url, path })}` };
};

const detectGcs: Detector = (address) => {
  if (!address.includes('googleapis.com/')) return undefined;
  const [, , version, bucket, ...object] = address.split('/');
  if (version === undefined || bucket === undefined || object.length === 0) {
    return { error: 'URL is not a valid GCS URL' };
  }
  const text = `https://www.googleapis.com/storage/${version}/${bucket}/${object.join('/')}`;
  const url = parseGoUrl(text);
  if ('error' in url) return { error: `error parsing GCS URL: ${url.error}` };
  return { address: `gcs::${goUrlText(url)}` };
};

const detectS3: Detector = (address) => {
  if (!address.includes('.amazonaws.com/')) return undefined;
  const [host = '', ...rest] = address.split('/');
  const parts = host.split('.');
  const [first = '', second = '', third = ''] = parts;
  let text: string;
  if (parts.length === 3) text = `https://${first}.amazonaws.com/${rest.join('/')}`;
  else if (parts.length === 4) {
    text = `https://${second}.amazonaws.com/${[first, ...rest].join('/')}`;
  } else if (parts.length === 5 && second === 's3') {
    text = `https://s3.${third}.amazonaws.com/${[first, ...rest].join('/')}`;
  } else return { error: 'URL is not a valid S3 URL' };
  const url = parseGoUrl(text);
  if ('error' in url) return { error: `error parsing S3 URL: ${url.error}` };
  return { address: `s3::${goUrlText(url)}` };
};

const detectFile: Detector = (address) => {
  if (address.startsWith('/')) return { address: `file:///${address.slice(1)}` };
  return {
    error: `Terraform cannot detect a supported external module source type for ${address}`,
    maybeRelative: address,
  };
};

const DETECTORS: readonly Detector[] = [
  detectGitHub,
  detectGit,
  detectBitBucket,
  detectGcs,
  detectS3,
  detectFile,
];
