/** A role that is assumed for requests. */
export interface Role {
  readonly arn: string;
  readonly sessionName?: string;
  readonly seconds?: number;
  readonly policy?: string;
  readonly policyArns: readonly string[];
}

/** A role that is assumed with the credentials of the previous source. */
export interface AssumedRole extends Role {
  readonly externalId?: string;
  readonly sourceIdentity?: string;
  readonly tags: readonly (readonly [string, string])[];
  readonly transitiveTagKeys: readonly string[];
}

/** A role that is assumed with the token of an identity provider. */
export interface WebIdentityRole extends Role {
  readonly token?: string;
  readonly tokenFile?: string;
}

/** Credentials, region and network settings of requests. */
export interface AwsConnection {
  /** the region of STS requests; undefined: the region of the other requests */
  readonly stsRegion?: string;
  readonly keys?: {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly sessionToken?: string;
  };
  /** the profile from the configuration, not that of the environment */
  readonly profile?: string;
  readonly configFiles: readonly string[];
  readonly credentialsFiles: readonly string[];
  /** each is assumed with the credentials of the previous one */
  readonly assumeRoles: readonly AssumedRole[];
  readonly webIdentity?: WebIdentityRole;
  /** endpoints of the services that issue sessions, if not the defaults */
  readonly endpoints: { readonly sts?: string; readonly sso?: string };
  readonly metadataEndpoint?: string;
  readonly metadataMode?: string;
  readonly metadataDisabled: boolean;
  readonly validateCredentials: boolean;
  readonly requestAccountId: boolean;
  readonly allowedAccounts: readonly string[];
  readonly forbiddenAccounts: readonly string[];
  readonly fips: boolean;
  readonly dualstack: boolean;
  readonly httpProxy?: string;
  readonly httpsProxy?: string;
  readonly noProxy?: string;
  readonly caFile?: string;
  readonly insecure: boolean;
}

/** Returns true if an account is allowed. */
export function isAllowedAccount(
  account: string,
  {
    allowedAccounts,
    forbiddenAccounts,
  }: Pick<AwsConnection, 'allowedAccounts' | 'forbiddenAccounts'>,
): boolean {
  if (forbiddenAccounts.includes(account)) return false;
  return allowedAccounts.length === 0 || allowedAccounts.includes(account);
}
