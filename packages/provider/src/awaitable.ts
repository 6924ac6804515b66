import type { Awaitable } from './contract.ts';

/** Returns true if a result is asynchronous. */
export function isPromise<T>(value: Awaitable<T>): value is Promise<T> {
  return value instanceof Promise || (isThenable(value) && typeof value.then === 'function');
}

function isThenable(value: unknown): value is { readonly then: unknown } {
  return typeof value === 'object' && value !== null && 'then' in value;
}

/** Applies `next` to a value: synchronously if the value is available, otherwise after the promise resolves. */
export function chain<T, U>(value: Awaitable<T>, next: (value: T) => Awaitable<U>): Awaitable<U> {
  return isPromise(value) ? value.then(next) : next(value);
}
