import type { Awaitable } from './contract.ts';

/** Returns true if a result is asynchronous. */
export function isPromise<T>(value: Awaitable<T>): value is Promise<T> {
  if (typeof value !== 'object' || value === null) return false;
  // Reading an absent property of objects of many shapes takes less time than the operator `in`.
  return typeof (value as { readonly then?: unknown }).then === 'function';
}

/** Applies `next` to a value: synchronously if the value is available, otherwise after the promise resolves. */
export function chain<T, U>(value: Awaitable<T>, next: (value: T) => Awaitable<U>): Awaitable<U> {
  return isPromise(value) ? value.then(next) : next(value);
}
