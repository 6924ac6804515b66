import {
  type GoUrl,
  goUrlText,
  parseGoUrl,
  queryEncode,
  queryOf,
  splitForcedGetter,
} from '@terrane/addresses';
import { MAX_ARCHIVE_BYTES } from '../../archive-limits.ts';
import { quoteText } from '@terrane/cty';
import { bodyBytes, bodyText, type HttpAnswer, discardBody } from '@terrane/host';
import { requestErrorText } from '../../discovery/network-error.ts';
import { requestHeaders } from '../../discovery/registry-request.ts';
import type { FetchContext } from './fetch-context.ts';
import { FetchFailed } from './fetch-failed.ts';
import type { Getter } from './getter.ts';
import { netrcLogin } from './netrc.ts';
import { findPointer } from './pointer-in-page.ts';

const PAGE_BYTES = 8 * 1024 * 1024;

type FollowPointer = (context: FetchContext, address: string, destination: string) => Promise<void>;

/**
 * Packages on web servers: archives, and pages with the package location in the header `X-Terraform-Get` or in a `meta`
 * element named `terraform-get`, which `follow` fetches.
 */
export function httpGetter(follow: FollowPointer): Getter {
  return {
    file: httpFile,
    async directory(context, url, destination) {
      const query = queryOf(url);
      query.set('terraform-get', [...(query.get('terraform-get') ?? []), '1']);
      const answer = await ask(context, { ...url, rawQuery: queryEncode(query) });
      if (answer.status < 200 || answer.status >= 300) {
        await discardBody(answer);
        throw new FetchFailed(`bad response code: ${answer.status}`);
      }
      let pointer = answer.headers['x-terraform-get'] ?? '';
      if (pointer === '') pointer = findPointer(await bodyText(answer, PAGE_BYTES)) ?? '';
      else await discardBody(answer);
      if (pointer === '') throw new FetchFailed('no source URL was returned');
      checkPointer(pointer);
      await follow(context, pointer, destination);
    },
  };
}

/** The bytes of a file on the web. */
export async function httpFile(context: FetchContext, url: GoUrl): Promise<Uint8Array> {
  const answer = await ask(context, url);
  if (answer.status !== 200 && answer.status !== 206) {
    await discardBody(answer);
    throw new FetchFailed(`bad response code: ${answer.status}`);
  }
  return await bodyBytes(answer, MAX_ARCHIVE_BYTES);
}

/** Validates the target of a redirection: it must have a supported getter. */
function checkPointer(pointer: string): void {
  const { address } = splitForcedGetter(pointer);
  const url = parseGoUrl(address);
  if ('error' in url || url.scheme === '') {
    throw new FetchFailed(`invalid source string: ${pointer}`);
  }
  const [protocol = ''] = pointer.split(':');
  if (!['file', 'gcs', 'git', 'hg', 'http', 'https', 's3'].includes(protocol)) {
    throw new FetchFailed(
      `no getter available for X-Terraform-Get source protocol: ${quoteText(protocol)}`,
    );
  }
}

async function ask(context: FetchContext, url: GoUrl): Promise<HttpAnswer> {
  const { host, signal } = context;
  const login =
    url.user === undefined || url.user === ''
      ? await netrcLogin(context, url.host)
      : { user: url.user, password: url.password ?? '' };
  const { user: _user, password: _password, ...bare } = url;
  const text = goUrlText({ ...bare, fragment: '' });
  const headers: Record<string, string> = { ...requestHeaders(host.environment) };
  if (login !== undefined) {
    const pair = Buffer.from(`${login.user}:${login.password}`).toString('base64');
    headers['authorization'] = `Basic ${pair}`;
  }
  try {
    return await host.http.request(text, { headers, signal });
  } catch (error) {
    signal.throwIfAborted();
    throw new FetchFailed(requestErrorText('GET', text, error), error);
  }
}
