import type { ServiceRules } from './rules.ts';

/** Resource types of MSK, whose waits are in tests/aws/kafka.test.ts: no test server has its clusters. */
export const KAFKA: ServiceRules = {
  service: 'MSK',
  types: [
    {
      type: 'aws_msk_cluster',
      sources: [{ file: 'kafka/cluster.go', release: '5' }],
      subject: { written: (name) => ({ cluster_name: name }) },
      rules: [],
      note: 'all operations: retries `TooManyRequestsException`; create: waits until `ACTIVE` while `CREATING`; update: each step waits until `UPDATE_COMPLETE` while `PENDING`, `UPDATE_IN_PROGRESS`, polling every 10 s; delete: waits until it is deleted while `DELETING`; errors contain the reason. 2 hours each',
    },
  ],
};
