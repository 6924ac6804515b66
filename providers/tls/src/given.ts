import type { KeyObject } from 'node:crypto';
import { quoteText } from '@terrane/cty';
import { userErrorText } from '@terrane/host';
import { ProviderError, requiresReplaceIf } from '@terrane/provider/sdk';
import type { PlanModifier } from '@terrane/provider/sdk';
import { parseAddress } from './alternative-names.ts';
import type { AlternativeNames } from './alternative-names.ts';
import { parseKeyPem } from './keys.ts';

/** Runs a function and converts its exceptions to an error with a summary. */
export function attempt<T>(summary: string, run: () => T): T {
  try {
    return run();
  } catch (cause) {
    throw new ProviderError(summary, userErrorText(cause));
  }
}

/** Parses a private key in PEM. */
export function givenKey(pem: string, summary: string): KeyObject {
  return attempt(summary, () => parseKeyPem(pem));
}

type Texts = readonly (string | null)[] | null;

/** The arguments for subject alternative names. */
export interface GivenNames {
  readonly dns_names: Texts;
  readonly ip_addresses: Texts;
  readonly uris: Texts;
}

/** Parses the arguments for subject alternative names. */
export function givenNames(names: GivenNames): AlternativeNames {
  const addresses: Buffer[] = [];
  for (const text of present(names.ip_addresses)) {
    const address = parseAddress(text);
    if (address === undefined) {
      throw new ProviderError('Invalid IP address', `Failed to parse ${quoteText(text)}`);
    }
    addresses.push(address);
  }
  const uris = present(names.uris);
  for (const text of uris) {
    const fault = uriFault(text);
    if (fault === undefined) continue;
    throw new ProviderError('Invalid URI', `Failed to parse ${quoteText(text)}: ${fault}`);
  }
  return { dnsNames: present(names.dns_names), addresses, uris };
}

/** Returns the non-null texts. */
export function present(texts: Texts): readonly string[] {
  return (texts ?? []).filter((text) => text !== null);
}

/** Returns the error of Go's `net/url` for text that is not a URI; undefined for a URI. */
export function uriFault(text: string): string | undefined {
  const fault = (reason: string) => `parse ${quoteText(text)}: ${reason}`;
  if (/[\u0000-\u001f\u007f]/.test(text)) {
    return fault('net/url: invalid control character in URL');
  }
  if (text.startsWith(':')) return fault('missing protocol scheme');
  const escape = /%(?![0-9a-fA-F]{2}).{0,2}/u.exec(text.split('?', 1)[0] ?? '')?.[0];
  if (escape !== undefined) return fault(`invalid URL escape ${quoteText(escape)}`);
  return undefined;
}

/** Replaces the object if the argument changes, unless older versions stored only a hash of the PEM. */
export const replaceIfPemChanges: PlanModifier = requiresReplaceIf(({ stateValue }) => {
  if (stateValue.isNull) return false;
  return /^-----BEGIN [A-Za-z ]+-----\n[\s\S]+\n-----END [A-Za-z ]+-----\n?$/.test(
    stateValue.asString(),
  );
});
