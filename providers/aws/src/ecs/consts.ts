/** Error codes for a missing cluster. */
export const NO_CLUSTER: readonly string[] = ['ClusterNotFoundException'];

/** Error codes for a missing service, including those for a missing cluster. */
export const NO_SERVICE: readonly string[] = [...NO_CLUSTER, 'ServiceNotFoundException'];
