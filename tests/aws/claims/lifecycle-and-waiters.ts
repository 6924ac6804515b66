// Statements on the lifecycle of resources, on changed values and on asynchronous operations.
import type { Claim } from './claim.ts';

export const LIFECYCLE_AND_WAITERS: readonly Claim[] = [];
