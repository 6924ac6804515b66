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

/**
 * Variant of {@link chain} whose `next` also receives a context, so that it needs no closure: for work that a large run
 * repeats for every instance.
 */
export function chainWith<C, T, U>(
  value: Awaitable<T>,
  context: C,
  next: (context: C, value: T) => Awaitable<U>,
): Awaitable<U> {
  return isPromise(value) ? chainLater(value, context, next) : next(context, value);
}

/** A function of its own, because V8 allocates what a closure captures even in calls that do not create it. */
function chainLater<C, T, U>(
  value: Promise<T>,
  context: C,
  next: (context: C, value: T) => Awaitable<U>,
): Promise<U> {
  return value.then((available) => next(context, available));
}
