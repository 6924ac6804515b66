/** Background tasks, and how notifications were delivered. */
export const NOTIFICATION_TABLES: readonly string[] = [
  `CREATE TABLE tasks (
    id text PRIMARY KEY, kind text NOT NULL, key text NOT NULL, payload jsonb NOT NULL, status text NOT NULL,
    attempt integer NOT NULL, due_at timestamptz NOT NULL, lease_until timestamptz, error text,
    created_at timestamptz NOT NULL, UNIQUE (kind, key))`,
  `CREATE INDEX tasks_due ON tasks (due_at) WHERE status = 'waiting'`,
  `CREATE TABLE deliveries (
    id text PRIMARY KEY, notification_id text NOT NULL REFERENCES notifications ON DELETE CASCADE,
    trigger text NOT NULL, code integer NOT NULL, body text NOT NULL, is_successful boolean NOT NULL,
    sent_at timestamptz NOT NULL)`,
  `CREATE INDEX deliveries_notification ON deliveries (notification_id, sent_at)`,
  `CREATE INDEX notifications_workspace ON notifications (workspace_id)`,
];
