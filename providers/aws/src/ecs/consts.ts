/** Codes of errors that say that there is no such cluster. */
export const NO_CLUSTER: readonly string[] = ['ClusterNotFoundException'];

/** Codes of errors that say that there is no such service: there is none where there is no cluster. */
export const NO_SERVICE: readonly string[] = [...NO_CLUSTER, 'ServiceNotFoundException'];
