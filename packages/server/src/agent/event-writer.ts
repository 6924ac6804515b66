import type { Clock } from '@terrane/host';
import { fields } from '../http/request.ts';
import type { AgentJob } from '../services/jobs.ts';
import type { AgentClient } from './agent-client.ts';
import { PacedSender } from './paced-sender.ts';

/** The time for which events are collected: they are for pages and reports, and not as urgent as the log. */
const PACE_MS = { firstMs: 1_000, pauseMs: 2_000 };
/** The most events of a request, and the most characters of their JSON. The server accepts 8 MB. */
const AT_ONCE = { events: 200, characters: 1024 * 1024 };
/** The characters of the message of an event that is too large for a request. */
const SHORT_MESSAGE = 1_000;

/** An event with the length of its JSON. */
interface SizedEvent {
  readonly event: unknown;
  readonly size: number;
}

/** Sends the events of a job, in order. Of an event that is too large, only its type and message are sent. */
export class EventWriter {
  readonly #sender: PacedSender<SizedEvent>;

  /** the number of events that were sent */
  #count = 0;

  constructor(client: Pick<AgentClient, 'putEvents'>, job: AgentJob, clock: Pick<Clock, 'sleep'>) {
    this.#sender = new PacedSender({
      clock,
      ...PACE_MS,
      send: async (events) => {
        for (const list of listsOf(events)) {
          await client.putEvents(job, this.#count, list);
          this.#count += list.length;
        }
      },
    });
  }

  write(event: unknown, size: number): void {
    this.#sender.write(
      size > AT_ONCE.characters
        ? { event: shortened(event), size: SHORT_MESSAGE }
        : { event, size },
    );
  }

  /** Resolves when everything has been sent. Rejects if sending failed. */
  async flush(): Promise<void> {
    await this.#sender.flush();
  }
}

/** Divides events into lists for one request each. */
function listsOf(events: readonly SizedEvent[]): readonly (readonly unknown[])[] {
  const lists: unknown[][] = [];
  let characters = Number.POSITIVE_INFINITY;
  for (const { event, size } of events) {
    const last = lists.at(-1);
    characters += size;
    if (last !== undefined && characters <= AT_ONCE.characters && last.length < AT_ONCE.events) {
      last.push(event);
    } else {
      lists.push([event]);
      characters = size;
    }
  }
  return lists;
}

function shortened(event: unknown): unknown {
  const { '@level': level, '@message': message, '@timestamp': timestamp, type } = fields(event);
  const text = typeof message === 'string' ? message : '';
  return {
    '@level': level,
    '@message': `${text.slice(0, SHORT_MESSAGE)} […]`,
    '@timestamp': timestamp,
    type,
  };
}
