import { parseGoUrl, splitForcedGetter } from '@terrane/addresses';
import type { FetchContext } from './fetch-context.ts';
import { FetchFailed } from './fetch-failed.ts';

/** The bytes of one file, from the web or this machine: a list of checksums. */
export async function fetchFile(context: FetchContext, address: string): Promise<Uint8Array> {
  const { getter: forced, address: text } = splitForcedGetter(address);
  const url = parseGoUrl(text);
  if ('error' in url) throw new FetchFailed(url.error);
  const scheme = forced === '' ? url.scheme : forced;
  switch (scheme) {
    case 'http':
    case 'https':
      return await (await import('./http-getter.ts')).httpFile(context, url);
    case 'file':
      return await (await import('./file-getter.ts')).FILE_GETTER.file(context, url);
    case 's3':
      return await (await import('./s3-getter.ts')).S3_GETTER.file(context, url);
    case 'gcs':
      return await (await import('./gcs-getter.ts')).GCS_GETTER.file(context, url);
    default:
      throw new FetchFailed(`download not supported for scheme '${scheme}'`);
  }
}
