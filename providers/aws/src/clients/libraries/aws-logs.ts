// The maintained client of one of Amazon's services, in a separate bundle.
export { CloudWatchLogs as Client } from '@aws-sdk/client-cloudwatch-logs';
