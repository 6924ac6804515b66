/** Error codes for a missing cluster. */
export const NO_CLUSTER: readonly string[] = ['NotFoundException'];

/** States of running operations on clusters, which the SDK does not list. */
export const OPERATION_RUNNING: readonly string[] = ['PENDING', 'UPDATE_IN_PROGRESS'];
export const OPERATION_COMPLETE = 'UPDATE_COMPLETE';
