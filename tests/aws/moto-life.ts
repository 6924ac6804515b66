// Runs resources of the provider for AWS through the whole engine, against a server that answers as Amazon does.
import { strict as assert } from 'node:assert';
import {
  acceptanceTest,
  type ExpectedAction,
  type ExpectedAttributes,
  type ExpectedChange,
  type ImportStep,
  type Snapshot,
  type Step,
} from '@terrane/provider-testing';
import type { LifeStep } from './lives.ts';
import { type OwnAnswers, quickAws } from './quick-aws.ts';
import { ACCOUNT, type Keys, keysOf, sharedMoto } from './shared-moto.ts';

/** The attributes of an object, as `Snapshot.objects` has them. */
type Found = Readonly<Record<string, unknown>>;

/** Keys with which the server is asked; those of the usual account need no token. */
type Credentials = Omit<Keys, 'sessionToken'> & { readonly sessionToken?: string };

/** A running server, for the tests of one file. */
export interface AwsServer {
  readonly endpoint: string;
  /** options for clients of the SDK, with which a test changes and looks at things outside */
  options(region?: string): {
    readonly endpoint: string;
    readonly region: string;
    readonly credentials: Credentials;
  };
  /** a provider block that asks the server; `more`: further lines of it */
  provider(more?: string, region?: string): string;
  stop(): Promise<void>;
}

export const REGION = 'eu-west-1';

const SERVICES =
  'appautoscaling dynamodb ec2 ecs iam kafka kms lambda logs route53 s3 secretsmanager sns sqs ssm sts';

/** The server that all files share, with an account of this file's own: for `beforeAll`. */
export async function startAws(): Promise<AwsServer> {
  const endpoint = await sharedMoto();
  return serverAt(endpoint, () => Promise.resolve(), await keysOf(endpoint, ACCOUNT));
}

/** A server that is running, as tests of resources use it. */
export function serverAt(
  endpoint: string,
  stop: () => Promise<void>,
  keys: Credentials = { accessKeyId: 'test', secretAccessKey: 'test' },
): AwsServer {
  const token = keys.sessionToken === undefined ? '' : `token = "${keys.sessionToken}"`;
  return {
    endpoint,
    options: (region = REGION) => ({ endpoint, region, credentials: keys }),
    provider: (more = '', region = REGION) => `
provider "aws" {
  region            = "${region}"
  access_key        = "${keys.accessKeyId}"
  secret_key        = "${keys.secretAccessKey}"
  ${token}
  s3_use_path_style = true
  endpoints {
    ${SERVICES.split(' ')
      .map((service) => `${service} = "${endpoint}"`)
      .join('\n    ')}
  }
  ${more}
}
`,
    stop,
  };
}

/**
 * The lifecycle test of a resource. Omitted steps do not run, except for the basic ones. lives.test.ts verifies that some
 * lifecycle of each type has each step, or states in `without` why it cannot.
 */
export interface ResourceLife {
  /** "aws_sqs_queue.it" */
  readonly address: string;
  /** the configuration without the provider block */
  readonly config: string;
  readonly provider?: string;
  /** attributes after the creation */
  readonly state: ExpectedAttributes;
  readonly updates?: readonly {
    readonly config: string;
    readonly state: ExpectedAttributes;
    readonly plan?: ExpectedChange;
  }[];
  /** a configuration by which it is replaced, and because of which arguments */
  readonly replace?: {
    readonly config: string;
    readonly by: readonly string[];
    readonly state?: ExpectedAttributes;
    /** what else the plan does */
    readonly plan?: Readonly<Record<string, ExpectedAction>>;
  };
  /** false: it cannot be imported; else what an import differs in */
  readonly import?: false | Pick<ImportStep, 'id' | 'ignore'>;
  /** a change from outside, what is seen of it, and what brings the object back (default: an update) */
  readonly drift?: {
    readonly change: (object: Found) => Promise<unknown>;
    readonly seen: ExpectedAttributes;
    /** what is seen of other objects, by address */
    readonly alsoSeen?: Readonly<Record<string, ExpectedAttributes>>;
    readonly plan?: ExpectedAction;
  };
  /** answers what the server does not know */
  readonly intercept?: OwnAnswers;
  /** deletes it outside */
  readonly disappear?: (object: Found) => Promise<unknown>;
  /** what is seen of other objects then, by address */
  readonly alsoSeen?: Readonly<Record<string, ExpectedAttributes>>;
  /** other objects that are gone then, too, and created anew */
  readonly alsoGone?: readonly string[];
  /** why no life of this type has these parts */
  readonly without?: Readonly<Partial<Record<LifeStep, string>>>;
  /** what is left of it in the end, of which there must be nothing */
  readonly remaining: () => Promise<readonly unknown[]>;
}

/** Runs a resource through its life; nothing may be left of it. */
export async function resourceLife(server: AwsServer, life: ResourceLife): Promise<void> {
  const { address, drift, disappear, replace } = life;
  const block = server.provider(life.provider);
  const config = block + life.config;
  const object = ({ objects }: Snapshot): Found => {
    const object = objects.get(address);
    assert.ok(object, `${address} is in the state`);
    return object;
  };
  const steps: Step[] = [
    {
      name: 'create',
      config,
      state: { [address]: life.state },
    },
  ];
  if (life.import !== false) steps.push({ name: 'import', import: address, ...life.import });
  for (const { config: next, state, plan } of life.updates ?? []) {
    steps.push({
      name: 'update',
      config: block + next,
      plan: { [address]: plan ?? 'update' },
      state: { [address]: state },
    });
  }
  if (replace !== undefined) {
    steps.push({
      name: 'replace',
      config: block + replace.config,
      plan: { [address]: { action: 'replace', replacedBy: replace.by }, ...replace.plan },
      ...(replace.state && { state: { [address]: replace.state } }),
    });
  }
  const last = replace?.config ?? life.updates?.at(-1)?.config ?? life.config;
  if (drift !== undefined) {
    steps.push(
      {
        name: 'drift',
        refresh: true,
        before: async (snapshot) => void (await drift.change(object(snapshot))),
        drift: { [address]: drift.seen, ...drift.alsoSeen },
        plan: { [address]: drift.plan ?? 'update' },
      },
      { name: 'repair', config: block + last, plan: { [address]: drift.plan ?? 'update' } },
    );
  }
  if (disappear !== undefined) {
    const gone = [address, ...(life.alsoGone ?? [])];
    const anew = Object.fromEntries(gone.map((each) => [each, 'create'] as const));
    steps.push(
      {
        name: 'disappearance',
        refresh: true,
        before: async (snapshot) => void (await disappear(object(snapshot))),
        drift: { ...Object.fromEntries(gone.map((each) => [each, null])), ...life.alsoSeen },
        plan: anew,
      },
      { name: 'creation anew', config: block + last, plan: anew },
    );
  }
  await acceptanceTest({
    providers: {
      // Waits take moments.
      'hashicorp/aws': quickAws(life.intercept),
    },
    steps,
    afterDestroy: async () => assert.deepEqual(await life.remaining(), []),
  });
}
