import { userErrorText } from '@terrane/host';

/** Returns Azure's error code: `BlobNotFound`, `LeaseIdMissing`, …; empty for errors of other origin. */
export function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const details: unknown = 'details' in error ? error.details : undefined;
  for (const source of [details, error]) {
    if (typeof source !== 'object' || source === null) continue;
    const fields = new Map<string, unknown>(Object.entries(source));
    const code = fields.get('errorCode') ?? fields.get('code');
    if (typeof code === 'string') return code;
  }
  return statusOf(error) === 404 ? 'BlobNotFound' : '';
}

/** Returns the response status of an error. */
export function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('statusCode' in error)) return undefined;
  return typeof error.statusCode === 'number' ? error.statusCode : undefined;
}

/** Formats an error of Azure's libraries as one sentence. Rethrows the reason of an aborted run. */
export function azureError(doing: string, error: unknown, signal?: AbortSignal): Error {
  signal?.throwIfAborted();
  const code = errorCode(error);
  const [first = ''] = userErrorText(error).split('\n', 1);
  const message =
    first === '' ? `the server answered with the status ${statusOf(error) ?? '?'}` : first;
  const named = code === '' || message.includes(code) ? message : `${code}: ${message}`;
  return new Error(doing === '' ? named : `${doing}: ${named}`, { cause: error });
}
