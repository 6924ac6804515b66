import { StringDecoder } from 'node:string_decoder';

/** Splits the pieces of a stream into lines, for `onLine`; `end` gives the last one without its end. */
export function lineSplitter(onLine: (line: string) => void): {
  take(chunk: Buffer): void;
  end(): void;
} {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  const add = (text: string): void => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
  };
  return {
    take: (chunk) => add(decoder.write(chunk)),
    end() {
      add(decoder.end());
      if (rest !== '') onLine(rest);
      rest = '';
    },
  };
}
