// What requests and answers of Amazon's SDK are made of, in a bundle of its own.
export { HttpResponse } from '@smithy/core/transport';
export { DefaultRateLimiter } from '@smithy/core/retry';
