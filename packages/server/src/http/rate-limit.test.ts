import { expect, it } from 'vitest';
import { RateLimiter } from './rate-limit.ts';

it('permits the count at once, and then as many in each period', () => {
  const limiter = new RateLimiter({ count: 3, periodMs: 1_000 });
  expect([1, 2, 3].map(() => limiter.take('a', 0))).toEqual([0, 0, 0]);
  expect(limiter.take('a', 0)).toBe(1);
  expect(limiter.take('b', 0)).toBe(0);
  expect(limiter.take('a', 334)).toBe(0);
  expect(limiter.take('a', 334)).toBe(1);
  expect([1, 2, 3, 4].map(() => limiter.take('a', 60_000))).toEqual([0, 0, 0, 1]);
});

it('states the seconds until a long period permits a request', () => {
  const limiter = new RateLimiter({ count: 2, periodMs: 60_000 });
  limiter.take('a', 0);
  limiter.take('a', 0);
  expect(limiter.peek('a', 0)).toBe(30);
  expect(limiter.peek('a', 10_000)).toBe(20);
  expect(limiter.peek('unknown', 0)).toBe(0);
});

it('forgets the least recently used clients', () => {
  const limiter = new RateLimiter({ count: 1, periodMs: 1_000_000 });
  limiter.take('first', 0);
  for (let index = 0; index < 20_000; index++) limiter.take(`client ${index}`, 0);
  expect(limiter.take('first', 0)).toBe(0);
  expect(limiter.take('client 19999', 0)).toBeGreaterThan(0);
});
