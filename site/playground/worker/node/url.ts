// The part of `node:url` that the engine uses in a browser.
import { toUnicode } from 'punycode';

/** The ASCII form of a host name; empty if it is invalid. */
export function domainToASCII(domain: string): string {
  try {
    return new URL(`ws://${domain}`).hostname;
  } catch {
    return '';
  }
}

/** The Unicode form of a host name; empty if it is invalid. */
export function domainToUnicode(domain: string): string {
  return toUnicode(domainToASCII(domain));
}

/** The URL of an absolute path. */
export function pathToFileURL(path: string): URL {
  return new URL(`file://${path.split('/').map(encodeURIComponent).join('/')}`);
}
