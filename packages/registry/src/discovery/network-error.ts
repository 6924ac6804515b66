import { quoteText } from '@terrane/cty';
import { requestFailure } from '@terrane/host';

/** Formats the error of a failed request as Go does: `Get "URL": dial tcp 127.0.0.1:1: connect: connection refused`. */
export function requestErrorText(method: string, url: string, error: unknown): string {
  const verb = method.charAt(0) + method.slice(1).toLowerCase();
  return `${verb} ${quoteText(url)}: ${requestFailure(url, error)}`;
}
