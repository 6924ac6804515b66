/** Resources of the process, which the program measures. */
export interface ProcessUsage {
  readonly residentBytes: number;
  readonly cpuSeconds: number;
  readonly startedAt: Date;
}

/** Upper bounds of the histogram of durations, in seconds. */
const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Counters of this process. The number of series is bounded by that of routes. */
export class Metrics {
  readonly #requests = new Map<string, number>();
  readonly #durations: number[] = BOUNDS.map(() => 0);
  #sum = 0;
  #count = 0;

  /** Counts a request that was answered. `route` is the pattern of its path. */
  observe(method: string, route: string, status: number, seconds: number): void {
    const labels = `method="${method}",route="${label(route)}",status="${status}"`;
    this.#requests.set(labels, (this.#requests.get(labels) ?? 0) + 1);
    // Requests that wait for something to happen say nothing about the speed of the server.
    if (route.endsWith('/claim') || route.endsWith('/heartbeat') || route.includes('/logs/'))
      return;
    this.#sum += seconds;
    this.#count++;
    for (const [index, bound] of BOUNDS.entries()) {
      if (seconds <= bound) this.#durations[index] = (this.#durations[index] ?? 0) + 1;
    }
  }

  lines(): readonly string[] {
    return [
      ...metric('terrane_http_requests_total', 'counter', 'Answered requests.', this.#requests),
      '# HELP terrane_http_request_duration_seconds Durations of requests, except those that wait.',
      '# TYPE terrane_http_request_duration_seconds histogram',
      ...BOUNDS.map(
        (bound, index) =>
          `terrane_http_request_duration_seconds_bucket{le="${bound}"} ${this.#durations[index] ?? 0}`,
      ),
      `terrane_http_request_duration_seconds_bucket{le="+Inf"} ${this.#count}`,
      `terrane_http_request_duration_seconds_sum ${this.#sum}`,
      `terrane_http_request_duration_seconds_count ${this.#count}`,
    ];
  }
}

/** Escapes a text as the value of a label. */
export const label = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');

/** Returns the lines of a metric; `labels` may be empty. */
export function metric(
  name: string,
  type: 'counter' | 'gauge',
  help: string,
  series: Iterable<readonly [string, number]>,
): readonly string[] {
  return [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...[...series].map(([labels, value]) => `${name}${labels && `{${labels}}`} ${value}`),
  ];
}
