// The part of the identity provider that tests use; the package has no declarations.
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  export default class Provider {
    constructor(
      issuer: string,
      configuration: {
        readonly clients: readonly Readonly<Record<string, unknown>>[];
        readonly claims: Readonly<Record<string, readonly string[]>>;
        readonly conformIdTokenClaims: boolean;
        readonly pkce: { readonly required: () => boolean };
        readonly findAccount: (
          context: unknown,
          id: string,
        ) => { readonly accountId: string; claims(): Record<string, unknown> };
      },
    );
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  }
}
