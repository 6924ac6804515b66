import type { Clock, FileSystem, Random } from '@terrane/host';
import type { Log } from '@terrane/provider/sdk';
import type { AwsSettings } from '../configuration/settings.ts';
import {
  type IgnoredTags,
  ownTags,
  type Tags,
  withoutIgnored,
  withoutSystem,
} from '../tags/tags.ts';
import type { Caller, ClientFactory } from './client-factory.ts';
import { type Partition, partitionOf } from './partitions.ts';
import type { ServiceName, Services } from './service-clients.ts';

/** The connection to AWS that every handler receives, configured by the provider block. */
export class Aws {
  /** the region of resources without a `region` argument */
  readonly region: string;
  /** empty if the account ID was not requested */
  readonly accountId: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly files: FileSystem;
  readonly log: Log;
  readonly defaultTags: Tags;
  readonly ignoredTags: IgnoredTags;
  readonly #clients: ClientFactory;

  constructor(made: {
    readonly clients: ClientFactory;
    readonly settings: AwsSettings;
    readonly accountId: string;
    readonly clock: Clock;
    readonly random: Random;
    readonly files: FileSystem;
    readonly log: Log;
  }) {
    this.#clients = made.clients;
    this.region = made.clients.region;
    this.accountId = made.accountId;
    this.clock = made.clock;
    this.random = made.random;
    this.files = made.files;
    this.log = made.log;
    this.defaultTags = made.settings.defaultTags;
    this.ignoredTags = made.settings.ignoredTags;
  }

  /** Calls a function whose requests end when `signal` aborts, because the attempt is abandoned. */
  within<T>(signal: AbortSignal, call: () => T): T {
    return this.#clients.within(signal, call);
  }

  /**
   * Returns the services in a region, for one call of a handler.
   *
   * @param caller adds the subject of the requests to the log, and bounds their retries
   */
  in(region: string | null, signal: AbortSignal, caller: Omit<Caller, 'signal'> = {}): RegionalAws {
    return new RegionalAws(this, this.#clients, region ?? this.region, { ...caller, signal });
  }
}

/** Amazon in one region, with the methods of the SDK's clients: `aws.sqs.createQueue({ … })`. */
export class RegionalAws implements Services {
  readonly region: string;
  readonly signal: AbortSignal;
  readonly provider: Aws;
  readonly #clients: ClientFactory;
  readonly #services: Services;

  constructor(provider: Aws, clients: ClientFactory, region: string, caller: Caller) {
    this.provider = provider;
    this.region = region;
    this.signal = caller.signal;
    this.#services = clients.services(region, caller);
    this.#clients = clients;
  }

  get appautoscaling(): Services['appautoscaling'] {
    return this.#services.appautoscaling;
  }

  get dynamodb(): Services['dynamodb'] {
    return this.#services.dynamodb;
  }

  get ec2(): Services['ec2'] {
    return this.#services.ec2;
  }

  get ecs(): Services['ecs'] {
    return this.#services.ecs;
  }

  get iam(): Services['iam'] {
    return this.#services.iam;
  }

  get kafka(): Services['kafka'] {
    return this.#services.kafka;
  }

  get kms(): Services['kms'] {
    return this.#services.kms;
  }

  get lambda(): Services['lambda'] {
    return this.#services.lambda;
  }

  get logs(): Services['logs'] {
    return this.#services.logs;
  }

  get route53(): Services['route53'] {
    return this.#services.route53;
  }

  get s3(): Services['s3'] {
    return this.#services.s3;
  }

  get secretsmanager(): Services['secretsmanager'] {
    return this.#services.secretsmanager;
  }

  get sns(): Services['sns'] {
    return this.#services.sns;
  }

  get sqs(): Services['sqs'] {
    return this.#services.sqs;
  }

  get ssm(): Services['ssm'] {
    return this.#services.ssm;
  }

  get sts(): Services['sts'] {
    return this.#services.sts;
  }

  get accountId(): string {
    return this.provider.accountId;
  }

  get clock(): Clock {
    return this.provider.clock;
  }

  get partition(): Partition {
    return partitionOf(this.region);
  }

  /** Returns the SDK client of a service, for paginators of the SDK. */
  async client<S extends ServiceName>(service: S): Promise<Services[S]> {
    return await this.#clients.client(service, this.region);
  }

  /**
   * `arn:aws:ec2:eu-west-1:123456789012:vpc/vpc-1`; `region` null: a service that is the same in all regions; `owner`: of
   * what another account shares
   */
  arn(
    service: string,
    resource: string,
    region: string | null = this.region,
    owner: string = this.accountId,
  ): string {
    return `arn:${this.partition.id}:${service}:${region ?? ''}:${owner}:${resource}`;
  }

  /** Returns tags in the form of the state: `tags`, those of the object itself, and `tags_all`. */
  splitTags(
    reportedTags: Tags,
    configuredTags: Tags,
  ): { readonly tags: Tags; readonly tags_all: Tags } {
    const { defaultTags, ignoredTags } = this.provider;
    const all = withoutIgnored(withoutSystem(reportedTags), ignoredTags);
    return { tags: ownTags(all, defaultTags, configuredTags), tags_all: all };
  }
}
