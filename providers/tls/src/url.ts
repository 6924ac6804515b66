import { quoteText } from '@terrane/cty';
import { error, validator } from '@terrane/provider/sdk';
import type { AttributeValidator } from '@terrane/provider/sdk';
import { uriFault } from './given.ts';

/** A URL with a host and one of some schemes. */
export function urlWithScheme(...schemes: readonly string[]): AttributeValidator {
  return validator(({ path, value }) => {
    if (value.isNull || !value.isKnown) return [];
    const text = value.asString();
    const quotedText = quoteText(text);
    const fault = uriFault(text);
    if (fault !== undefined) {
      return [error('Invalid URL', `Parsing URL ${quotedText} failed: ${fault}`, path)];
    }
    const [, scheme = '', host = ''] =
      /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/(?:[^/?#]*@)?([^/?#]*))?/.exec(text) ?? [];
    if (host === '') return [error('Invalid URL', `URL ${quotedText} contains no host`, path)];
    if (schemes.includes(scheme.toLowerCase())) return [];
    const allowed = `[${schemes.map(quoteText).join(' ')}]`;
    const detail = `URL ${quotedText} expected to use scheme from ${allowed}, got: ${quoteText(scheme.toLowerCase())}`;
    return [error('Invalid URL scheme', detail, path)];
  });
}
