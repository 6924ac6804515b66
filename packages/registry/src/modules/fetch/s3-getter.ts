import { type GoUrl, queryOf } from '@terrane/addresses';
import { MAX_ARCHIVE_BYTES } from '../../archive-limits.ts';
import { bodyBytes, bodyText, type HttpAnswer, userErrorText } from '@terrane/host';
import { parseXml, type XmlElement, xmlTextByName, xmlTexts } from '@terrane/host/xml';
import { sign } from 'aws4';
import { requestErrorText } from '../../discovery/network-error.ts';
import { type AwsCredentials, awsCredentials, awsFailure } from './aws-credentials.ts';
import { amzDate } from './amz-date.ts';
import { bucketDirectory } from './bucket-directory.ts';
import type { FetchContext } from './fetch-context.ts';
import { FetchFailed } from './fetch-failed.ts';
import type { Getter } from './getter.ts';

/** The bucket and the object or prefix of an S3 URL. */
export interface S3Place {
  /** `https://host`, without a slash at the end */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** without a leading slash */
  readonly path: string;
  readonly version: string;
}

/** Packages in buckets of Amazon S3 and compatible services. */
export const S3_GETTER: Getter = {
  async directory(context, url, destination) {
    const location = s3Place(context, url);
    const credentials = await credentialsFor(context, url, location);
    await bucketDirectory(context, destination, location.path, {
      list: (token) => list(context, location, credentials, token),
      read: (name) => read(context, { ...location, path: name, version: '' }, credentials),
    });
  },
  async file(context, url) {
    const location = s3Place(context, url);
    return await read(context, location, await credentialsFor(context, url, location));
  },
};

const AWS_DOMAINS = [
  'amazonaws.com',
  'amazonaws.com.cn',
  'c2s.ic.gov',
  'sc2s.sgov.gov',
  'cloud.adc-e.uk',
  'csp.hci.ic.gov',
  'amazonaws.eu',
];

/** Reads a URL of an object: the bucket before the host or in the path, the region in the host or in the query. */
function s3Place({ host }: Pick<FetchContext, 'host'>, url: GoUrl): S3Place {
  const query = queryOf(url);
  const version = query.get('version')?.[0] ?? '';
  const domain = AWS_DOMAINS.find((each) => url.host.endsWith(`.${each}`));
  const [first = '', ...rest] = url.path.replace(/^\//, '').split('/');
  if (domain === undefined) {
    if (rest.length === 0) throw new FetchFailed('URL is not a valid S3 compliant URL');
    const region = query.get('region')?.[0] ?? 'us-east-1';
    const endpoint = `${url.scheme === '' ? 'https' : url.scheme}://${url.host}`;
    return { endpoint, region, bucket: first, path: rest.join('/'), version };
  }
  const invalid = new FetchFailed('URL is not a valid S3 URL');
  const labels = url.host.slice(0, -domain.length - 1).split('.');
  const urlPath = url.path.replace(/^\//, '');
  let region: string;
  let bucket = first;
  let path = rest.join('/');
  const [head = '', second = '', third = ''] = labels;
  if (labels.length === 1) region = head.replace(/^s3-/, '').replace(/^s3/, '') || 'us-east-1';
  else if (labels.length === 2 && head === 's3') region = second;
  else if (labels.length === 2) {
    // `bucket.s3-region`, and `bucket.s3` of the oldest region
    if (!/^s3(?:-|$)/.test(second)) throw invalid;
    region = second.replace(/^s3-?/, '') || 'us-east-1';
    [bucket, path] = [head, urlPath];
  } else if (labels.length === 3) {
    region = third;
    [bucket, path] = [head, urlPath];
  } else throw invalid;
  if (bucket === '' || path === '') throw invalid;
  const configuredEndpoint =
    host.environment.get('AWS_ENDPOINT_URL_S3') || host.environment.get('AWS_ENDPOINT_URL') || '';
  const endpoint =
    configuredEndpoint === ''
      ? `https://s3.${region}.${domain}`
      : configuredEndpoint.replace(/\/+$/, '');
  return { endpoint, region, bucket, path, version };
}

async function credentialsFor(
  context: FetchContext,
  url: GoUrl,
  location: S3Place,
): Promise<AwsCredentials | undefined> {
  const query = queryOf(url);
  const value = (name: string): string => query.get(name)?.[0] ?? '';
  const named = ['aws_access_key_id', 'aws_access_key_secret', 'aws_access_token'];
  if (named.some((name) => query.has(name))) {
    const sessionToken = value('aws_access_token');
    return {
      accessKeyId: value('aws_access_key_id'),
      secretAccessKey: value('aws_access_key_secret'),
      ...(sessionToken === '' ? {} : { sessionToken }),
    };
  }
  return await awsCredentials(context, value('aws_profile'), location.region);
}

async function list(
  context: FetchContext,
  place: S3Place,
  credentials: AwsCredentials | undefined,
  token: string | undefined,
): Promise<{ readonly names: readonly string[]; readonly next?: string }> {
  const query = [
    ...(token === undefined ? [] : [`continuation-token=${encode(token)}`]),
    'list-type=2',
    `prefix=${encode(place.path)}`,
  ].join('&');
  const answer = await ask(context, place, credentials, `/${encode(place.bucket)}?${query}`);
  let elements: readonly XmlElement[];
  try {
    elements = parseXml(await bodyText(answer));
  } catch (error) {
    context.signal.throwIfAborted();
    throw new FetchFailed(`SerializationError: ${userErrorText(error)}`, error);
  }
  const [next] = xmlTexts(elements, 'NextContinuationToken');
  const isTruncated = xmlTexts(elements, 'IsTruncated')[0] === 'true';
  return {
    names: xmlTexts(elements, 'Key'),
    ...(isTruncated && next !== undefined ? { next } : {}),
  };
}

async function read(
  context: FetchContext,
  location: S3Place,
  credentials: AwsCredentials | undefined,
): Promise<Uint8Array> {
  const path = location.path.split('/').map(encode).join('/');
  const query = location.version === '' ? '' : `?versionId=${encode(location.version)}`;
  const target = `/${encode(location.bucket)}/${path}${query}`;
  return await bodyBytes(await ask(context, location, credentials, target), MAX_ARCHIVE_BYTES);
}

async function ask(
  context: FetchContext,
  location: S3Place,
  credentials: AwsCredentials | undefined,
  target: string,
): Promise<HttpAnswer> {
  const { host, signal } = context;
  const endpoint = new URL(location.endpoint);
  const path = `${endpoint.pathname.replace(/\/+$/, '')}${target}`;
  const url = `${endpoint.origin}${path}`;
  const headers: Record<string, string> = {};
  if (credentials !== undefined) {
    const signed = sign(
      {
        host: endpoint.host,
        method: 'GET',
        path,
        service: 's3',
        region: location.region,
        headers: { 'X-Amz-Date': amzDate(host.clock.now()) },
      },
      credentials,
    );
    for (const [name, value] of Object.entries(signed.headers ?? {})) {
      if (!/^(?:host|content-length)$/i.test(name)) headers[name] = String(value);
    }
  }
  let answer: HttpAnswer;
  try {
    answer = await host.http.request(url, { headers, signal });
  } catch (error) {
    signal.throwIfAborted();
    throw new FetchFailed(
      `RequestError: send request failed\ncaused by: ${requestErrorText('GET', url, error)}`,
      error,
    );
  }
  if (answer.status >= 200 && answer.status < 300) return answer;
  throw awsFailure(answer.status, xmlTextByName(await bodyText(answer).catch(() => '')));
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
