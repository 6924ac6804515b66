/** Codes of errors that say that there is no such cluster. */
export const NO_CLUSTER: readonly string[] = ['NotFoundException'];

/** States of operations on clusters, which the SDK does not list: the operation is under way. */
export const OPERATION_RUNNING: readonly string[] = ['PENDING', 'UPDATE_IN_PROGRESS'];
export const OPERATION_COMPLETE = 'UPDATE_COMPLETE';
