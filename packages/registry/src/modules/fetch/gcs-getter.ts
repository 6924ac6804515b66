import type { GoUrl } from '@terrane/addresses';
import { MAX_ARCHIVE_BYTES } from '../../archive-limits.ts';
import { bodyBytes, bodyText, type HttpAnswer } from '@terrane/host';
import { requestErrorText } from '../../discovery/network-error.ts';
import { bucketDirectory } from './bucket-directory.ts';
import type { FetchContext } from './fetch-context.ts';
import { FetchFailed } from './fetch-failed.ts';
import type { Getter } from './getter.ts';
import { googleToken } from './google-token.ts';

interface Place {
  readonly bucket: string;
  readonly path: string;
  readonly generation: string;
}

interface Session {
  readonly base: string;
  readonly token: string | undefined;
}

/** Packages in buckets of Google Cloud Storage, with the credentials of the Google tools or none. */
export const GCS_GETTER: Getter = {
  async directory(context, url, destination) {
    const place = placeOf(url);
    const session = await openSession(context);
    await bucketDirectory(context, destination, place.path, {
      list: (token) => list(context, session, place, token),
      read: (name) => read(context, session, { ...place, path: name, generation: '' }),
    });
  },
  async file(context, url) {
    return await read(context, await openSession(context), placeOf(url));
  },
};

function placeOf({ host, path, fragment }: GoUrl): Place {
  const [, , , bucket = '', ...object] = path.split('/');
  if (!/^[^.]+\.googleapis\.com$/.test(host) || bucket === '' || object.length === 0) {
    throw new FetchFailed('URL is not a valid GCS URL');
  }
  return { bucket, path: object.join('/'), generation: fragment };
}

async function openSession(context: FetchContext): Promise<Session> {
  const emulator = context.host.environment.get('STORAGE_EMULATOR_HOST') ?? '';
  if (emulator !== '') {
    const base = emulator.includes('://') ? emulator : `http://${emulator}`;
    return { base: base.replace(/\/+$/, ''), token: undefined };
  }
  return { base: 'https://storage.googleapis.com', token: await googleToken(context) };
}

async function list(
  context: FetchContext,
  session: Session,
  { bucket, path }: Place,
  token: string | undefined,
): Promise<{ readonly names: readonly string[]; readonly next?: string }> {
  const query = new URLSearchParams({ prefix: path, fields: 'items(name),nextPageToken' });
  if (token !== undefined) query.set('pageToken', token);
  const target = `/storage/v1/b/${encodeURIComponent(bucket)}/o?${query.toString()}`;
  const page: unknown = JSON.parse(await bodyText(await ask(context, session, target)));
  if (typeof page !== 'object' || page === null) return { names: [] };
  const items: readonly unknown[] = 'items' in page && Array.isArray(page.items) ? page.items : [];
  const names = items.flatMap((item) =>
    typeof item === 'object' && item !== null && 'name' in item && typeof item.name === 'string'
      ? [item.name]
      : [],
  );
  const next = 'nextPageToken' in page ? page.nextPageToken : undefined;
  return { names, ...(typeof next === 'string' && next !== '' ? { next } : {}) };
}

async function read(
  context: FetchContext,
  session: Session,
  { bucket, path, generation }: Place,
): Promise<Uint8Array> {
  if (generation !== '' && !/^[0-9]+$/.test(generation)) {
    throw new FetchFailed(`strconv.ParseInt: parsing "${generation}": invalid syntax`);
  }
  const version = generation === '' ? '' : `&generation=${generation}`;
  const name = `/storage/v1/b/${encodeURIComponent(bucket)}/o/${encodeURIComponent(path)}`;
  return await bodyBytes(
    await ask(context, session, `${name}?alt=media${version}`),
    MAX_ARCHIVE_BYTES,
  );
}

async function ask(
  { host, signal }: FetchContext,
  { base, token }: Session,
  target: string,
): Promise<HttpAnswer> {
  const url = `${base}${target}`;
  const headers: Readonly<Record<string, string>> =
    token === undefined ? {} : { authorization: `Bearer ${token}` };
  let answer: HttpAnswer;
  try {
    answer = await host.http.request(url, { headers, signal });
  } catch (error) {
    signal.throwIfAborted();
    throw new FetchFailed(requestErrorText('GET', url, error), error);
  }
  if (answer.status >= 200 && answer.status < 300) return answer;
  const responseText = (await bodyText(answer).catch(() => '')).trim();
  if (answer.status === 404) throw new FetchFailed("storage: object doesn't exist");
  throw new FetchFailed(
    `googleapi: got HTTP response code ${answer.status} with body: ${responseText}`,
  );
}
