import type { KeyObject } from 'node:crypto';
import { quoteText } from '@terrane/cty';
import { error } from '@terrane/provider';
import type { Fields, ModifierRequest, ProviderDiagnostic } from '@terrane/provider';
import { parseAddress } from './alternative-names.ts';
import type { AlternativeNames } from './alternative-names.ts';
import { parseKeyPem } from './keys.ts';

/** Why something could not be had. */
export interface Problem {
  readonly problem: ProviderDiagnostic;
}

/** Runs what may throw; what it throws becomes a problem under a summary. */
export function attempt<T extends object>(summary: string, run: () => T): T | Problem {
  try {
    return run();
  } catch (cause) {
    return { problem: error(summary, cause instanceof Error ? cause.message : String(cause)) };
  }
}

/** The private key that an argument holds. */
export function givenKey(fields: Fields, name: string, summary: string): KeyObject | Problem {
  return attempt(summary, () => parseKeyPem(fields.string(name) ?? ''));
}

/** The names beside the subject that the arguments hold. */
export function givenNames(fields: Fields): AlternativeNames | Problem {
  const addresses: Buffer[] = [];
  for (const text of fields.strings('ip_addresses')) {
    const address = parseAddress(text);
    if (address === undefined) {
      return { problem: error('Invalid IP address', `Failed to parse ${quoteText(text)}`) };
    }
    addresses.push(address);
  }
  const uris = fields.strings('uris');
  for (const text of uris) {
    const fault = uriFault(text);
    if (fault === undefined) continue;
    const detail = `Failed to parse ${quoteText(text)}: ${fault}`;
    return { problem: error('Invalid URI', detail) };
  }
  return { dnsNames: fields.strings('dns_names'), addresses, uris };
}

/** What keeps a text from being a URI, in the words of Go's `net/url`, if anything does. */
export function uriFault(text: string): string | undefined {
  const fault = (why: string) => `parse ${quoteText(text)}: ${why}`;
  if (/[\u0000-\u001f\u007f]/.test(text)) {
    return fault('net/url: invalid control character in URL');
  }
  if (text.startsWith(':')) return fault('missing protocol scheme');
  const escape = /%(?![0-9a-fA-F]{2}).{0,2}/u.exec(text.split('?', 1)[0] ?? '')?.[0];
  if (escape !== undefined) return fault(`invalid URL escape ${quoteText(escape)}`);
  return undefined;
}

/** Whether what is stored is PEM itself: older versions stored only a hash of it. */
export function storesPem({ stateValue }: ModifierRequest): boolean {
  if (stateValue.isNull) return false;
  return /^-----BEGIN [A-Za-z ]+-----\n[\s\S]+\n-----END [A-Za-z ]+-----\n?$/.test(
    stateValue.asString(),
  );
}
