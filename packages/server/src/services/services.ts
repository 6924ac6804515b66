import type { Clock, Log, Random } from '@terrane/host';
import type { Selectable } from 'kysely';
import type { Database } from '../database/database.ts';
import type { RunTable } from '../database/schema.ts';
import type { JobQueue } from './job-queue.ts';
import type { Metrics, ProcessUsage } from './metrics.ts';
import type { Sealing } from './sealing.ts';
import type { SignOn } from './sign-on.ts';
import type { Wakeups } from './wakeups.ts';

/** Event types of runs for notifications. */
export type RunTrigger =
  | 'run:created'
  | 'run:queued'
  | 'run:planning'
  | 'run:needs_attention'
  | 'run:confirmed'
  | 'run:applying'
  | 'run:completed'
  | 'run:errored'
  /** a change that only the checks of pull requests report */
  | 'run:progressed';

/**
 * Called when a run changes: for notifications, run triggers, checks of pull requests. A listener only enqueues work,
 * so that a change is never delayed by another system.
 */
export type RunListener = (
  services: Services,
  run: Selectable<RunTable>,
  trigger: RunTrigger,
) => Promise<void>;

/** The services for requests and background tasks. Stateless: all state is in the database. */
export interface Services {
  readonly db: Database;
  readonly sealing: Sealing;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  readonly random: Random;
  /** the external URL of the server, without a final slash */
  readonly baseUrl: string;
  /** wakes agents and log readers that wait in this process */
  readonly wakeups: Wakeups;
  /** decides when the waiting agents of this process ask for jobs */
  readonly jobQueue: JobQueue;
  readonly metrics: Metrics;
  /** tokens that this process has obtained from other systems, by what they are for */
  readonly issuedTokens: Map<string, { readonly token: string; readonly expiresAt: number }>;
  /** Measures the process; absent in tests. */
  readonly processUsage?: () => ProcessUsage;
  /** sign-in with an OpenID Connect provider, if the installation has one */
  readonly singleSignOn?: SignOn;
  /** called when a run changes */
  readonly runListeners: readonly RunListener[];
  /**
   * Sends a request to another system, whose address users have chosen. Rejects for addresses that the installation does
   * not permit. Absent in tests without network.
   */
  readonly send?: Send;
  /** Sends e-mails; absent if the installation has no mail server. */
  readonly sendMail?: (mail: Mail) => Promise<void>;
  /** the storage of large contents; absent: they are in the database */
  readonly blobStorage?: BlobStorage;
  /** the log of the server; entries have no secrets */
  readonly log?: Pick<Log, 'write'>;
  /** Writes a problem of background work to the log of the server. */
  readonly report?: (problem: string) => void;
}

/** An e-mail of text to one recipient. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** A storage for large contents, which are encrypted before they reach it. */
export interface BlobStorage {
  /** contents of at least this many bytes are stored there */
  readonly from: number;
  /** the largest content; default: that of the database */
  readonly largest?: number;
  /** the size of the parts of contents that are stored while they are received; default: 16 MiB */
  readonly partBytes?: number;
  /** Reads a content; undefined if it does not exist. */
  read(name: string): Promise<Uint8Array | undefined>;
  write(name: string, content: Uint8Array): Promise<void>;
  remove(name: string): Promise<void>;
}

/** A request to another system. */
export interface OutgoingRequest {
  /** default: GET */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly timeoutMs?: number;
  /** the largest response in bytes; a larger one is rejected */
  readonly limit?: number;
  /** default: false */
  readonly followsRedirects?: boolean;
}

/** The response of another system. */
export interface OutgoingAnswer {
  readonly status: number;
  readonly body: Uint8Array;
}

export type Send = (url: string, request: OutgoingRequest) => Promise<OutgoingAnswer>;

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Returns random characters of the alphabet that HCP Terraform uses in identifiers. */
export function randomText(random: Random, length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of random.bytes(length)) {
      // A byte outside of a multiple of the alphabet would prefer some characters.
      if (byte < 232 && text.length < length) text += ALPHABET[byte % 58];
    }
  }
  return text;
}

/** Returns a new identifier, such as `run-CZcmD7eagjhyX0vN`. */
export function newId({ random }: Pick<Services, 'random'>, prefix: string): string {
  return `${prefix}-${randomText(random, 16)}`;
}
