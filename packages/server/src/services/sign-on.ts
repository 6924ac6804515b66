/** A sign-in in progress, which the browser keeps encrypted until the provider answers the request. */
export interface SignInAttempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** the page to open afterwards */
  readonly target: string;
}

/** The user that the provider has authenticated. */
export interface VerifiedUser {
  readonly issuer: string;
  readonly subject: string;
  /** undefined if the provider has not verified it */
  readonly email: string | undefined;
  readonly username: string;
  readonly groups: readonly string[];
}

/** Sign-in at an identity provider. */
export interface SignOn {
  /** Returns the URL of the provider, and the values that verify its response. */
  begin(target: string): Promise<{ readonly url: URL; readonly attempt: SignInAttempt }>;
  /** Verifies the answer of the provider. Throws an ApiError if the provider refused. */
  finish(search: string, attempt: SignInAttempt): Promise<VerifiedUser>;
}
