import type { JWK } from './libraries/server-oidc.ts';
import { loadOidc } from './oidc-library.ts';
import type { Run } from './runs.ts';
import { randomText, type Services } from './services.ts';
import type { RunVariable } from './variables.ts';

/** How long a key signs. Its public part is published for a day longer, as tokens outlive it. */
const KEY_MS = 30 * 24 * 60 * 60 * 1000;
const PUBLISHED_MS = KEY_MS + 24 * 60 * 60 * 1000;
/** How long a token is valid: long enough for a run, and no longer. */
export const IDENTITY_SECONDS: number = 2 * 60 * 60;
const SETTING = 'identity-keys';

type Part = Pick<Services, 'db' | 'sealing' | 'clock' | 'random' | 'baseUrl'>;

interface SigningKey {
  readonly kid: string;
  readonly createdAt: number;
  readonly privateKey: JWK;
}

async function readKeys({ db, sealing }: Pick<Part, 'db' | 'sealing'>): Promise<SigningKey[]> {
  const row = await db
    .selectFrom('settings')
    .select('value')
    .where('name', '=', SETTING)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) return [];
  const text = sealing.open(row.value, SETTING).toString('utf8');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- authenticated: only this function writes it
  return JSON.parse(text) as SigningKey[];
}

/** Returns the signing keys, the newest last. Replaces an old one. */
async function currentKeys(services: Part): Promise<readonly SigningKey[]> {
  const { db, sealing, clock } = services;
  const now = clock.now().getTime();
  const isCurrent = (keys: readonly SigningKey[]): boolean =>
    (keys.at(-1)?.createdAt ?? 0) + KEY_MS > now;
  const known = await readKeys(services);
  if (isCurrent(known)) return known;
  const { exportJWK, generateKeyPair } = await loadOidc();
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const created: SigningKey = {
    kid: randomText(services.random, 24),
    createdAt: now,
    privateKey: await exportJWK(privateKey),
  };
  return await db.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('settings')
      .values({ name: SETTING, value: sealing.seal('[]', SETTING) })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const keys = await readKeys({ db: transaction, sealing });
    // Another server was first.
    if (isCurrent(keys)) return keys;
    const remaining = [...keys.filter((key) => key.createdAt + PUBLISHED_MS > now), created];
    await transaction
      .updateTable('settings')
      .set({ value: sealing.seal(JSON.stringify(remaining), SETTING) })
      .where('name', '=', SETTING)
      .execute();
    return remaining;
  });
}

/** Returns the public keys with which others verify the tokens of runs. */
export async function publicKeys(services: Part): Promise<{ readonly keys: readonly JWK[] }> {
  const now = services.clock.now().getTime();
  const keys = await currentKeys(services);
  return {
    keys: keys
      .filter((key) => key.createdAt + PUBLISHED_MS > now)
      .map(({ kid, privateKey: { kty, n, e } }) => ({
        kid,
        use: 'sig',
        alg: 'RS256',
        ...(kty !== undefined && { kty }),
        ...(n !== undefined && { n }),
        ...(e !== undefined && { e }),
      })),
  };
}

/** The discovery document of the server as an issuer of tokens (OpenID Connect Discovery). */
export function issuerMetadata({ baseUrl }: Pick<Part, 'baseUrl'>): Record<string, unknown> {
  return {
    issuer: baseUrl,
    jwks_uri: `${baseUrl}/.well-known/jwks`,
    response_types_supported: ['id_token'],
    claims_supported: ['sub', 'aud', 'exp', 'iat', 'iss', 'jti', 'nbf', 'ref'],
    id_token_signing_alg_values_supported: ['RS256'],
    scopes_supported: ['openid'],
    subject_types_supported: ['public'],
  };
}

/** The run that a token identifies, and its place. */
export interface RunIdentity {
  readonly run: Pick<Run, 'id'>;
  readonly phase: 'plan' | 'apply';
  readonly organization: { readonly id: string; readonly name: string };
  readonly project: { readonly id: string; readonly name: string };
  readonly workspace: { readonly id: string; readonly name: string };
}

/** Returns a token for a run, with the claims of HCP Terraform. */
export async function issueIdentity(
  services: Part,
  { run, phase, organization, project, workspace }: RunIdentity,
  audience: string,
): Promise<string> {
  const { importJWK, SignJWT } = await loadOidc();
  const key = (await currentKeys(services)).at(-1);
  if (key === undefined) throw new Error('The server has no key for the identity of runs.');
  const now = Math.floor(services.clock.now().getTime() / 1000);
  const full = `organization:${organization.name}:project:${project.name}:workspace:${workspace.name}`;
  return await new SignJWT({
    terraform_run_phase: phase,
    terraform_run_id: run.id,
    terraform_organization_id: organization.id,
    terraform_organization_name: organization.name,
    terraform_project_id: project.id,
    terraform_project_name: project.name,
    terraform_workspace_id: workspace.id,
    terraform_workspace_name: workspace.name,
    terraform_full_workspace: full,
  })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: key.kid })
    .setIssuer(services.baseUrl)
    .setSubject(`${full}:run_phase:${phase}`)
    .setAudience(audience)
    .setIssuedAt(now)
    .setNotBefore(now)
    .setExpirationTime(now + IDENTITY_SECONDS)
    .setJti(randomText(services.random, 24))
    .sign(await importJWK(key.privateKey, 'RS256'));
}

/** A file that the agent writes for a run, and the environment variable with its path. */
export interface IdentityFile {
  readonly variable: string;
  readonly name: string;
  /** the text; `{path:NAME}` stands for the path of another file of the run */
  readonly content: string;
}

/** The tokens of a run, as variables and files. */
export interface Identity {
  readonly environment: Readonly<Record<string, string>>;
  readonly files: readonly IdentityFile[];
}

/**
 * Returns the tokens that the environment variables of a workspace ask for, by the names of HCP Terraform:
 * `TFC_WORKLOAD_IDENTITY_AUDIENCE`, also with a tag, and the settings of dynamic credentials for AWS, Google Cloud and
 * Azure.
 */
export async function identityOfRun(
  services: Part,
  identity: RunIdentity,
  variables: readonly RunVariable[],
): Promise<Identity> {
  const settings = new Map(
    variables.filter(({ category }) => category === 'env').map(({ key, value }) => [key, value]),
  );
  const environment: Record<string, string> = {};
  const files: IdentityFile[] = [];
  for (const [name, audience] of settings) {
    const tag = /^TFC_WORKLOAD_IDENTITY_AUDIENCE(_\w+)?$/.exec(name);
    if (tag === null || audience === '') continue;
    const token = await issueIdentity(services, identity, audience);
    environment[`TFC_WORKLOAD_IDENTITY_TOKEN${tag[1] ?? ''}`] = token;
  }
  const isEnabled = (cloud: string): boolean =>
    settings.get(`TFC_${cloud}_PROVIDER_AUTH`) === 'true';
  const ofPhase = (cloud: string, name: string): string =>
    settings.get(`TFC_${cloud}_${identity.phase.toUpperCase()}_${name}`) ??
    settings.get(`TFC_${cloud}_RUN_${name}`) ??
    '';
  const tokenFor = async (cloud: string, usual: string): Promise<string> => {
    const audience = settings.get(`TFC_${cloud}_WORKLOAD_IDENTITY_AUDIENCE`) ?? usual;
    return await issueIdentity(services, identity, audience);
  };
  if (isEnabled('AWS')) {
    environment['AWS_ROLE_ARN'] = ofPhase('AWS', 'ROLE_ARN');
    files.push({
      variable: 'AWS_WEB_IDENTITY_TOKEN_FILE',
      name: 'aws-token',
      content: await tokenFor('AWS', 'aws.workload.identity'),
    });
  }
  if (isEnabled('GCP')) {
    const provider = settings.get('TFC_GCP_WORKLOAD_PROVIDER_NAME') ?? '';
    const account = ofPhase('GCP', 'SERVICE_ACCOUNT_EMAIL');
    files.push(
      {
        variable: '',
        name: 'gcp-token',
        content: await tokenFor('GCP', `https://iam.googleapis.com/${provider}`),
      },
      {
        variable: 'GOOGLE_APPLICATION_CREDENTIALS',
        name: 'gcp-credentials.json',
        content: JSON.stringify({
          type: 'external_account',
          audience: `//iam.googleapis.com/${provider}`,
          subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
          token_url: 'https://sts.googleapis.com/v1/token',
          service_account_impersonation_url: `https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/${account}:generateAccessToken`,
          credential_source: { file: '{path:gcp-token}', format: { type: 'text' } },
        }),
      },
    );
  }
  if (isEnabled('AZURE')) {
    environment['ARM_USE_OIDC'] = 'true';
    environment['ARM_CLIENT_ID'] = ofPhase('AZURE', 'CLIENT_ID');
    files.push({
      variable: 'ARM_OIDC_TOKEN_FILE_PATH',
      name: 'azure-token',
      content: await tokenFor('AZURE', 'api://AzureADTokenExchange'),
    });
  }
  return { environment, files };
}
