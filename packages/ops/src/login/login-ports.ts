import type { Diagnostic } from '@terrane/hcl';
import { errorDiagnostic } from '@terrane/hcl';
import type { Ask } from '../ask.ts';
import type { CredentialsLocation } from '../cli-config/credentials.ts';

/** The default host of a login. */
export const DEFAULT_LOGIN_HOST = 'app.terraform.io';

/** Events of a login. */
export type LoginEvent =
  | {
      readonly kind: 'begin';
      readonly host: string;
      /** true for an OAuth grant; otherwise the user creates and pastes a token */
      readonly oauth: boolean;
      /** true if the browser must run on this machine */
      readonly needsBrowser: boolean;
      readonly store: TokenStore;
    }
  | {
      readonly kind: 'page';
      readonly host: string;
      readonly what: 'login' | 'tokens';
      readonly url: string;
      /** true if the page was opened in a browser */
      readonly opened: boolean;
    }
  | { readonly kind: 'waiting' | 'password' }
  | { readonly kind: 'paste'; readonly store: TokenStore }
  | { readonly kind: 'user'; readonly name: string };

/** The storage location of a token. */
export interface TokenStore {
  readonly location: CredentialsLocation;
  readonly file: string;
  readonly helper: string | undefined;
}

/** The ports of a login. */
export interface LoginPorts {
  readonly ask: Ask;
  readonly signal: AbortSignal;
  readonly emit: (event: LoginEvent) => void;
}

/** Reports a malformed host argument. */
export function invalidHost(hostArgument: string, reason: string): Diagnostic {
  return errorDiagnostic(
    'Invalid hostname',
    `The given hostname ${JSON.stringify(hostArgument)} is not valid: ${reason}.`,
  );
}
