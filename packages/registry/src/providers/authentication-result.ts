/** The result of authenticating a package. */
export interface AuthenticationResult {
  readonly kind: 'checksum' | 'official' | 'partner' | 'community';
  /** the ID of the signing key: 16 hexadecimal digits */
  readonly keyId?: string;
}

/** "signed by HashiCorp", "self-signed", …; "unauthenticated" without a result. */
export function authenticationText(result: AuthenticationResult | undefined): string {
  switch (result?.kind) {
    case undefined:
      return 'unauthenticated';
    case 'checksum':
      return 'verified checksum';
    case 'official':
      return 'signed by HashiCorp';
    case 'partner':
      return 'signed by a HashiCorp partner';
    case 'community':
      return 'self-signed';
  }
}

/** Returns the key to print: of packages that HashiCorp did not sign. */
export function thirdPartyKey(result: AuthenticationResult | undefined): string | undefined {
  return result?.kind === 'partner' || result?.kind === 'community' ? result.keyId : undefined;
}
