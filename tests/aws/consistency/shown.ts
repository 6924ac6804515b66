// Answers of EC2 that the test server lacks, and states in those that it gives.
import type { FaultProxy } from '../fault-proxy.ts';

/** Puts text behind each occurrence of a closing tag in an XML answer. */
export function putAfter(body: string, tag: string, text: string): string {
  return body.replaceAll(`</${tag}>`, `</${tag}>${text}`);
}

/** Removes the elements of a name, with what is in them, from an XML answer. */
export function without(body: string, name: string): string {
  return body.replaceAll(new RegExp(`<${name}>.*?</${name}>|<${name} ?/>`, 'gs'), '');
}

/** Changes the body of an answer. */
type Change = (body: string) => string;

/**
 * Answers requests of EC2 that the test server does not know.
 *
 * @param describe the operation whose answers show what the latest of the requests has changed
 * @param modify by operation, what a request changes in those answers
 * @param usual changes all of those answers
 */
export function answersModify(
  proxy: FaultProxy,
  describe: string,
  modify: Readonly<Record<string, Change>>,
  usual: Change = (body) => body,
): void {
  let latest: Change = (body) => body;
  for (const [operation, show] of Object.entries(modify)) {
    proxy.add(
      { service: 'ec2', operation },
      {
        kind: 'changed',
        status: 200,
        change: () => {
          latest = show;
          return `<${operation}Response><return>true</return></${operation}Response>`;
        },
      },
    );
  }
  proxy.add(
    { service: 'ec2', operation: describe },
    { kind: 'changed', change: (body) => latest(usual(body)) },
  );
}
