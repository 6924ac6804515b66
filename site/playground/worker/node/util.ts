// The part of `node:util` that the engine uses in a browser.

// oxlint-disable-next-line no-control-regex -- escape sequences begin with a control character
const SEQUENCE = /\u001b(?:\[[\d;?]*[A-Za-z]|\][^\u0007\u001b]*(?:\u0007|\u001b\\))/g;

/** Removes escape sequences for colors, cursor movements and links. */
export function stripVTControlCharacters(text: string): string {
  return text.replace(SEQUENCE, '');
}

/** Turns a function with a callback into one that returns a promise. */
export function promisify<Args extends readonly unknown[], Result>(
  call: (...args: [...Args, (error: unknown, result: Result) => void]) => void,
): (...args: Args) => Promise<Result> {
  return (...args) =>
    new Promise((resolve, reject) => {
      call(...args, (error, result) => {
        if (error == null) resolve(result);
        else reject(error instanceof Error ? error : new Error(String(error)));
      });
    });
}
