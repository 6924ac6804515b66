// The requests and responses of the AWS SDK, in a separate bundle.
export { HttpResponse } from '@smithy/core/transport';
export { DefaultRateLimiter } from '@smithy/core/retry';
