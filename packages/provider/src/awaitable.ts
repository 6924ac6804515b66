import type { Awaitable } from './contract.ts';

/** Returns true if a result is asynchronous. */
export function isPromise<T>(value: Awaitable<T>): value is Promise<T> {
  return value instanceof Promise || (isObject(value) && typeof value.then === 'function');
}

/** Reading an absent property of objects of many shapes takes less time than the operator `in`. */
function isObject(value: unknown): value is { readonly then?: unknown } {
  return typeof value === 'object' && value !== null;
}

/** Applies `next` to a value: synchronously if the value is available, otherwise after the promise resolves. */
export function chain<T, U>(value: Awaitable<T>, next: (value: T) => Awaitable<U>): Awaitable<U> {
  return isPromise(value) ? value.then(next) : next(value);
}
