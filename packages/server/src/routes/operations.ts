import { ApiError } from '../http/json-api.ts';
import type { Answer, ApiRequest } from '../http/request.ts';
import { METRICS, PUBLIC, type Route } from '../http/route.ts';
import { metricsText } from '../services/metrics-text.ts';

/** Answers 200 if this process can serve requests: the database answers, and it is not shutting down. */
async function ready({ services }: ApiRequest): Promise<Answer> {
  if (services.wakeups.isClosed) {
    throw new ApiError(503, 'unavailable', 'The server is shutting down.');
  }
  try {
    await services.db.selectFrom('settings').select('name').limit(1).execute();
  } catch {
    // any-error: after any failure requests cannot be served; the text may name the database.
    throw new ApiError(503, 'unavailable', 'The database does not answer.');
  }
  return { document: { status: 'ok' }, contentType: 'application/json' };
}

/** Endpoints for orchestrators and monitoring. */
export const OPERATION_ROUTES: readonly Route[] = [
  { method: 'GET', path: '/_health_check', rule: PUBLIC, handle: ready },
  { method: 'GET', path: '/_health/ready', rule: PUBLIC, handle: ready },
  {
    method: 'GET',
    path: '/_health/live',
    rule: PUBLIC,
    handle: () => ({ document: { status: 'ok' }, contentType: 'application/json' }),
  },
  {
    method: 'GET',
    path: '/metrics',
    rule: METRICS,
    handle: async ({ services }) => ({
      body: await metricsText(services),
      contentType: 'text/plain; version=0.0.4; charset=utf-8',
    }),
  },
];
